// Made by npm run generate from the procedures of the console that accept API tokens.

/** What each procedure takes and returns. */
export type Procedures = {
  "applications.get": {
    kind: "query";
    input: { id: string };
    output: {
      id: string;
      name: string;
      description: string;
      createdAt: number;
      version: number;
      managed: {
        file: string;
        locked: boolean;
        appliedAt: number;
        appliedBy: string;
        unlockedAt: number | null;
        unlockedBy: string | null;
      } | null;
      clients: {
        clientId: string;
        applicationId: string;
        applicationName: string;
        name: string;
        environment: "development" | "staging" | "production";
        type: "web" | "browser" | "native" | "service" | "device";
        redirectUris: string[];
        postLogoutRedirectUris: string[];
        grantTypes: (
          | "authorization_code"
          | "refresh_token"
          | "client_credentials"
          | "urn:ietf:params:oauth:grant-type:device_code"
          | "urn:ietf:params:oauth:grant-type:token-exchange"
        )[];
        scopes: string[];
        firstParty: boolean;
        resourceServer: boolean;
        enabled: boolean;
        refreshRetrySeconds: number;
        options?: unknown | undefined;
        origin: "registered" | "dynamic" | "metadata_document";
        createdAt: number;
        updatedAt: number;
        version: number;
        managed: {
          file: string;
          locked: boolean;
          appliedAt: number;
          appliedBy: string;
          unlockedAt: number | null;
          unlockedBy: string | null;
        } | null;
        secrets: { id: string; hint: string; createdAt: number; expiresAt: number | null; lastUsedAt: number | null }[];
      }[];
    };
  };
  "applications.list": {
    kind: "query";
    input: {
      cursor?: (string | null) | undefined;
      limit?: number | undefined;
      query?: string | undefined;
      environment?: ("development" | "staging" | "production") | undefined;
      type?: ("web" | "browser" | "native" | "service" | "device") | undefined;
      origin?: ("registered" | "dynamic" | "metadata_document") | undefined;
      state?: ("unused" | "off" | "never_used" | "silent" | "secret_unused" | "secret_ends" | "managed") | undefined;
      sort?: ("created" | "name" | "lastToken" | "refusals") | undefined;
      direction?: "forward" | undefined;
    };
    output: {
      items: {
        id: string;
        name: string;
        description: string;
        createdAt: number;
        version: number;
        lastTokenAt: number;
        refusals: number;
        clients: {
          clientId: string;
          name: string;
          environment: "development" | "staging" | "production";
          type: "web" | "browser" | "native" | "service" | "device";
          enabled: boolean;
          lockedBy: string | null;
        }[];
      }[];
      nextCursor: string | null;
      searchedBackTo: number | null;
    };
  };
  "audit.export": {
    kind: "mutation";
    input: {
      filter?:
        | {
            actor?: string | undefined;
            action?: string | undefined;
            object?: string | undefined;
            environment?: ("development" | "staging" | "production") | undefined;
            from?: number | undefined;
            to?: number | undefined;
          }
        | undefined;
    };
    output: { ticket: string };
  };
  "audit.exportPage": {
    kind: "mutation";
    input: { ticket: string; cursor: string | null };
    output: {
      items: {
        id: string;
        number: number | null;
        mac: string | null;
        at: number;
        actorId: string;
        actorName: string;
        role: string;
        via: "console" | "cli" | "api" | "api_token" | "server";
        action: string;
        object: string;
        objectName: string | null;
        environment: "development" | "staging" | "production" | null;
        detail: { [name: string]: unknown };
        address: string | null;
        userAgent: string | null;
        requestId: string | null;
      }[];
      nextCursor: string | null;
    };
  };
  "audit.get": {
    kind: "query";
    input: { number: number } | { id: string };
    output: {
      id: string;
      number: number | null;
      mac: string | null;
      at: number;
      actorId: string;
      actorName: string;
      role: string;
      via: "console" | "cli" | "api" | "api_token" | "server";
      action: string;
      object: string;
      objectName: string | null;
      environment: "development" | "staging" | "production" | null;
      detail: { [name: string]: unknown };
      address: string | null;
      userAgent: string | null;
      requestId: string | null;
    };
  };
  "audit.history": {
    kind: "query";
    input: {
      objects: string[];
      cursor?: (string | null) | undefined;
      limit?: number | undefined;
      direction?: "forward" | undefined;
    };
    output: {
      items: {
        id: string;
        number: number | null;
        mac: string | null;
        at: number;
        actorId: string;
        actorName: string;
        role: string;
        via: "console" | "cli" | "api" | "api_token" | "server";
        action: string;
        object: string;
        objectName: string | null;
        environment: "development" | "staging" | "production" | null;
        detail: { [name: string]: unknown };
        address: string | null;
        userAgent: string | null;
        requestId: string | null;
      }[];
      nextCursor: string | null;
    };
  };
  "audit.list": {
    kind: "query";
    input: {
      cursor?: (string | null) | undefined;
      limit?: number | undefined;
      actor?: string | undefined;
      action?: string | undefined;
      object?: string | undefined;
      environment?: ("development" | "staging" | "production") | undefined;
      from?: number | undefined;
      to?: number | undefined;
      direction?: "forward" | undefined;
    };
    output: {
      items: {
        id: string;
        number: number | null;
        mac: string | null;
        at: number;
        actorId: string;
        actorName: string;
        role: string;
        via: "console" | "cli" | "api" | "api_token" | "server";
        action: string;
        object: string;
        objectName: string | null;
        environment: "development" | "staging" | "production" | null;
        detail: { [name: string]: unknown };
        address: string | null;
        userAgent: string | null;
        requestId: string | null;
      }[];
      nextCursor: string | null;
      searchedBackTo: number | null;
    };
  };
  "audit.verify": {
    kind: "query";
    input: {
      cursor?:
        | ({
            next: number;
            hash: string;
            keyId: string | null;
            findings: {
              segments: number[];
              sealedLate: { from: number; to: number; sealedAt: number }[];
              movedBack: number | null;
            };
          } | null)
        | undefined;
      noted?: { number: number; mac: string } | undefined;
    };
    output: {
      state: "intact" | "broken" | "moved_back" | "more";
      broken: { number: number; problem: string } | null;
      findings: {
        segments: number[];
        sealedLate: { from: number; to: number; sealedAt: number }[];
        movedBack: number | null;
      };
      through: number;
      head: { number: number; mac: string } | null;
      cursor: {
        next: number;
        hash: string;
        keyId: string | null;
        findings: {
          segments: number[];
          sealedLate: { from: number; to: number; sealedAt: number }[];
          movedBack: number | null;
        };
      } | null;
    };
  };
  "clients.get": {
    kind: "query";
    input: { clientId: string };
    output: {
      clientId: string;
      applicationId: string;
      applicationName: string;
      name: string;
      environment: "development" | "staging" | "production";
      type: "web" | "browser" | "native" | "service" | "device";
      redirectUris: string[];
      postLogoutRedirectUris: string[];
      grantTypes: (
        | "authorization_code"
        | "refresh_token"
        | "client_credentials"
        | "urn:ietf:params:oauth:grant-type:device_code"
        | "urn:ietf:params:oauth:grant-type:token-exchange"
      )[];
      scopes: string[];
      firstParty: boolean;
      resourceServer: boolean;
      enabled: boolean;
      refreshRetrySeconds: number;
      options?: unknown | undefined;
      origin: "registered" | "dynamic" | "metadata_document";
      createdAt: number;
      updatedAt: number;
      version: number;
      managed: {
        file: string;
        locked: boolean;
        appliedAt: number;
        appliedBy: string;
        unlockedAt: number | null;
        unlockedBy: string | null;
      } | null;
      secrets: { id: string; hint: string; createdAt: number; expiresAt: number | null; lastUsedAt: number | null }[];
    };
  };
  "clients.secrets": {
    kind: "query";
    input: { clientId: string };
    output: {
      id: string;
      hint: string;
      state: "live" | "ended";
      createdAt: number;
      addedBy: string | null;
      endsAt: number | null;
      lastUsedAt: number | null;
      usedRecently: boolean;
      uses: number[];
      rotation: {
        state: "never_used" | "in_use" | "quiet" | "safe_to_remove";
        replacedBy: { id: string; hint: string; lastUsedAt: number } | null;
      } | null;
    }[];
  };
  "clients.use": {
    kind: "query";
    input: { clientId: string };
    output: {
      at: number;
      from: number;
      stepSeconds: number;
      tokens: {
        total: number;
        before: null;
        series: { name: string; total: number }[];
        bars: { at: number; counts: number[] }[];
      };
      signIns: {
        total: number;
        before: null;
        series: { name: string; total: number }[];
        bars: { at: number; counts: number[] }[];
      };
      refusals: {
        total: number;
        before: null;
        series: { name: string; total: number }[];
        bars: { at: number; counts: number[] }[];
      };
    };
  };
  "configuration.applyFile": {
    kind: "mutation";
    input: {
      file: string;
      name?: string | undefined;
      variables?: { [name: string]: string } | undefined;
      planId: string;
      prune?: number | undefined;
    };
    output: { changed: boolean; removed: number; secrets: { name: string; clientId: string | null; secret: string }[] };
  };
  "configuration.drift": {
    kind: "query";
    input: { cursor?: string | undefined; direction?: "forward" | undefined };
    output: {
      drift: {
        kind: "resource" | "application" | "client" | "webhook_endpoint" | "sign_in_provider";
        id: string;
        name: string;
        environment: "development" | "staging" | "production" | null;
        file: string;
        field: string | null;
        fileValue?: unknown | undefined;
        liveValue?: unknown | undefined;
        by: { name: string; at: number; row: { id: string; number: number | null } } | null;
      }[];
      managed: boolean;
      nextCursor: string | null;
    };
  };
  "configuration.export": { kind: "query"; input: undefined; output: string };
  "configuration.plan": {
    kind: "mutation";
    input: { file: string; name?: string | undefined; variables?: { [name: string]: string } | undefined };
    output: {
      id: string;
      changesId: string;
      changes: {
        kind: "resource" | "user" | "application" | "client" | "webhook_endpoint" | "sign_in_provider";
        name: string;
        environment?: ("development" | "staging" | "production") | undefined;
        action: "create" | "update" | "keep";
        fields: { field: string; before?: unknown | undefined; after?: unknown | undefined }[];
      }[];
      notInFile: {
        kind: "resource" | "user" | "application" | "client" | "webhook_endpoint" | "sign_in_provider";
        name: string;
        environment?: ("development" | "staging" | "production") | undefined;
        id: string;
      }[];
      recording: { locks: number; marks: number; releases: number };
    };
  };
  "deliveries.export": {
    kind: "mutation";
    input: {
      contents?: boolean | undefined;
      ids?: string[] | undefined;
      filter?:
        | {
            provider?: string | undefined;
            endpoint?: string | undefined;
            environment?: ("development" | "staging" | "production") | undefined;
            outcome?: ("accepted" | "duplicate" | "rejected") | undefined;
            reason?:
              | (
                  | "accepted"
                  | "duplicate"
                  | "signature_missing"
                  | "signature_mismatch"
                  | "signature_malformed"
                  | "signature_scheme_unknown"
                  | "timestamp_too_old"
                  | "timestamp_in_future"
                  | "secret_not_configured"
                  | "secret_unreadable"
                  | "provider_unreachable"
                  | "provider_disabled"
                  | "method_not_allowed"
                  | "content_type_unsupported"
                  | "payload_too_large"
                  | "unparsable"
                )
              | undefined;
            eventType?: string | undefined;
            eventId?: string | undefined;
            handlerState?: ("stored" | "pending" | "handled" | "failed" | "dead") | undefined;
            probes?: ("hidden" | "shown" | "only") | undefined;
            from?: number | undefined;
            to?: number | undefined;
          }
        | undefined;
    };
    output: { ticket: string };
  };
  "deliveries.exportPage": {
    kind: "mutation";
    input: { ticket: string; cursor: string | null };
    output: {
      items: {
        id: string;
        endpoint: string;
        provider: string;
        environment: "development" | "staging" | "production";
        receivedAt: string;
        outcome: "accepted" | "duplicate" | "rejected";
        reason:
          | "accepted"
          | "duplicate"
          | "signature_missing"
          | "signature_mismatch"
          | "signature_malformed"
          | "signature_scheme_unknown"
          | "timestamp_too_old"
          | "timestamp_in_future"
          | "secret_not_configured"
          | "secret_unreadable"
          | "provider_unreachable"
          | "provider_disabled"
          | "method_not_allowed"
          | "content_type_unsupported"
          | "payload_too_large"
          | "unparsable";
        status: number;
        eventType: string | null;
        eventId: string | null;
        mode: "live" | "test" | null;
        modeContradicts: boolean;
        handlerState: "stored" | "pending" | "handled" | "failed" | "dead" | null;
        ackMs: number;
        bodyBytes: number | null;
        secretHint: string | null;
        address: string | null;
        source: "http" | "reconcile" | "probe";
        headers?: ({ [name: string]: string } | null) | undefined;
        payload?: ({ text: string; encoding: "utf8" | "base64" } | null) | undefined;
      }[];
      nextCursor: string | null;
    };
  };
  "deliveries.facets": {
    kind: "query";
    input: undefined;
    output: { providers: string[]; endpoints: string[]; eventTypes: string[] };
  };
  "deliveries.get": {
    kind: "query";
    input: { id: string };
    output: {
      id: string;
      endpoint: string;
      provider: string;
      providerName: string;
      environment: "development" | "staging" | "production";
      source: "http" | "reconcile" | "probe";
      receivedAt: number;
      receivedAtMs: number;
      method: string;
      outcome: "accepted" | "duplicate" | "rejected";
      reason:
        | "accepted"
        | "duplicate"
        | "signature_missing"
        | "signature_mismatch"
        | "signature_malformed"
        | "signature_scheme_unknown"
        | "timestamp_too_old"
        | "timestamp_in_future"
        | "secret_not_configured"
        | "secret_unreadable"
        | "provider_unreachable"
        | "provider_disabled"
        | "method_not_allowed"
        | "content_type_unsupported"
        | "payload_too_large"
        | "unparsable";
      status: number;
      eventType: string | null;
      eventId: string | null;
      mode: "live" | "test" | null;
      modeContradicts: boolean;
      ackMs: number;
      bodyBytes: number | null;
      address: string | null;
      headers: { [name: string]: string };
      payload: {
        view: "shown" | "masked" | "hidden" | "removed";
        content: { text: string; encoding: "utf8" | "base64" } | null;
        truncated: boolean;
        canReveal: boolean;
        deletion: { allowed: boolean; reason: string | null };
        deleted: { at: number; by: string } | null;
      };
      event: {
        firstDeliveryId: string;
        firstReceivedAt: number;
        state: "stored" | "pending" | "handled" | "failed" | "dead";
      } | null;
      signature: {
        where: string;
        algorithms: string[];
        problem: string | null;
        signedAt: number | null;
        skewSeconds: number | null;
        toleranceSeconds: number | null;
        secrets: {
          id: string;
          name: string | null;
          hint: string;
          result: "matched" | "no_match" | "not_tried";
          createdAt: number;
          endsAt: number | null;
        }[];
      };
      facts: { ackTimeoutMs: number | null; retries: string; resendWindowDays: number | null; docsUrl: string } | null;
      rerun: { allowed: boolean; reason: string | null };
    };
  };
  "deliveries.list": {
    kind: "query";
    input: {
      cursor?: (string | null) | undefined;
      limit?: number | undefined;
      provider?: string | undefined;
      endpoint?: string | undefined;
      environment?: ("development" | "staging" | "production") | undefined;
      outcome?: ("accepted" | "duplicate" | "rejected") | undefined;
      reason?:
        | (
            | "accepted"
            | "duplicate"
            | "signature_missing"
            | "signature_mismatch"
            | "signature_malformed"
            | "signature_scheme_unknown"
            | "timestamp_too_old"
            | "timestamp_in_future"
            | "secret_not_configured"
            | "secret_unreadable"
            | "provider_unreachable"
            | "provider_disabled"
            | "method_not_allowed"
            | "content_type_unsupported"
            | "payload_too_large"
            | "unparsable"
          )
        | undefined;
      eventType?: string | undefined;
      eventId?: string | undefined;
      handlerState?: ("stored" | "pending" | "handled" | "failed" | "dead") | undefined;
      probes?: ("hidden" | "shown" | "only") | undefined;
      from?: number | undefined;
      to?: number | undefined;
      after?: string | undefined;
      direction?: "forward" | undefined;
    };
    output: {
      items: {
        id: string;
        endpoint: string;
        provider: string;
        environment: "development" | "staging" | "production";
        receivedAt: number;
        outcome: "accepted" | "duplicate" | "rejected";
        reason:
          | "accepted"
          | "duplicate"
          | "signature_missing"
          | "signature_mismatch"
          | "signature_malformed"
          | "signature_scheme_unknown"
          | "timestamp_too_old"
          | "timestamp_in_future"
          | "secret_not_configured"
          | "secret_unreadable"
          | "provider_unreachable"
          | "provider_disabled"
          | "method_not_allowed"
          | "content_type_unsupported"
          | "payload_too_large"
          | "unparsable";
        status: number;
        eventType: string | null;
        eventId: string | null;
        mode: "live" | "test" | null;
        modeContradicts: boolean;
        handlerState: "stored" | "pending" | "handled" | "failed" | "dead" | null;
        ackMs: number;
        bodyBytes: number | null;
        secretHint: string | null;
        address: string | null;
        source: "http" | "reconcile" | "probe";
      }[];
      nextCursor: string | null;
      searchedBackTo: number | null;
    };
  };
  "deliveries.related": {
    kind: "query";
    input: { id: string };
    output: {
      deliveries: {
        id: string;
        endpoint: string;
        receivedAt: number;
        outcome: "accepted" | "duplicate" | "rejected";
        reason:
          | "accepted"
          | "duplicate"
          | "signature_missing"
          | "signature_mismatch"
          | "signature_malformed"
          | "signature_scheme_unknown"
          | "timestamp_too_old"
          | "timestamp_in_future"
          | "secret_not_configured"
          | "secret_unreadable"
          | "provider_unreachable"
          | "provider_disabled"
          | "method_not_allowed"
          | "content_type_unsupported"
          | "payload_too_large"
          | "unparsable";
        eventType: string | null;
        eventId: string | null;
      }[];
      complete: boolean;
      explanation: string | null;
      twin: string | null;
      elsewhere: {
        id: string;
        endpoint: string;
        receivedAt: number;
        outcome: "accepted" | "duplicate" | "rejected";
        reason:
          | "accepted"
          | "duplicate"
          | "signature_missing"
          | "signature_mismatch"
          | "signature_malformed"
          | "signature_scheme_unknown"
          | "timestamp_too_old"
          | "timestamp_in_future"
          | "secret_not_configured"
          | "secret_unreadable"
          | "provider_unreachable"
          | "provider_disabled"
          | "method_not_allowed"
          | "content_type_unsupported"
          | "payload_too_large"
          | "unparsable";
        eventType: string | null;
        eventId: string | null;
      }[];
      object: string | null;
      sameObject: {
        id: string;
        endpoint: string;
        receivedAt: number;
        outcome: "accepted" | "duplicate" | "rejected";
        reason:
          | "accepted"
          | "duplicate"
          | "signature_missing"
          | "signature_mismatch"
          | "signature_malformed"
          | "signature_scheme_unknown"
          | "timestamp_too_old"
          | "timestamp_in_future"
          | "secret_not_configured"
          | "secret_unreadable"
          | "provider_unreachable"
          | "provider_disabled"
          | "method_not_allowed"
          | "content_type_unsupported"
          | "payload_too_large"
          | "unparsable";
        eventType: string | null;
        eventId: string | null;
      }[];
      searched: number;
    };
  };
  "deliveries.stats": {
    kind: "query";
    input: {
      range: "1h" | "24h" | "7d" | "30d";
      environment?: ("development" | "staging" | "production") | undefined;
      provider?: string | undefined;
      endpoint?: string | undefined;
    };
    output: {
      from: number;
      stepSeconds: number;
      results: { at: number; accepted: number; duplicate: number; rejected: number }[];
      handlers: { at: number; ok: number; failed: number; dead: number }[];
      reasons: {
        reason:
          | "accepted"
          | "duplicate"
          | "signature_missing"
          | "signature_mismatch"
          | "signature_malformed"
          | "signature_scheme_unknown"
          | "timestamp_too_old"
          | "timestamp_in_future"
          | "secret_not_configured"
          | "secret_unreadable"
          | "provider_unreachable"
          | "provider_disabled"
          | "method_not_allowed"
          | "content_type_unsupported"
          | "payload_too_large"
          | "unparsable";
        count: number;
      }[];
      endpoints: { endpoint: string; provider: string; accepted: number; duplicate: number; rejected: number }[];
      responses: {
        provider: string;
        count: number;
        p50Ms: number | null;
        p95Ms: number | null;
        p99Ms: number | null;
        budgetMs: number | null;
      }[];
      evictedAt: number | null;
    };
  };
  "previews.end": { kind: "mutation"; input: { clientId: string; key: string }; output: { ended: boolean } };
  "previews.list": {
    kind: "query";
    input: { clientId: string };
    output: {
      frame: {
        hostPrefix: string;
        hostSuffix: string;
        path: string;
        sharedSuffix: string | null;
        mostSeconds: number;
      } | null;
      version: number;
      most: number;
      live: {
        id: string;
        key: string;
        redirectUri: string;
        makerName: string;
        createdAt: number;
        renewedAt: number;
        endsAt: number;
      }[];
      ended: {
        id: string;
        key: string;
        redirectUri: string;
        makerName: string;
        createdAt: number;
        renewedAt: number;
        endsAt: number;
      }[];
    };
  };
  "previews.put": {
    kind: "mutation";
    input: { clientId: string; key: string; redirectUri: string; endsInSeconds?: number | undefined };
    output: {
      id: string;
      key: string;
      redirectUri: string;
      makerName: string;
      createdAt: number;
      renewedAt: number;
      endsAt: number;
    };
  };
  "refusals.group": {
    kind: "query";
    input: { key: string };
    output: {
      key: string;
      cause:
        | "method_not_allowed"
        | "content_type_unsupported"
        | "body_unreadable"
        | "body_late"
        | "parameter_missing"
        | "parameter_repeated"
        | "parameter_malformed"
        | "parameter_in_query"
        | "request_too_large"
        | "client_missing"
        | "client_unknown"
        | "client_disabled"
        | "client_grant_not_allowed"
        | "client_mechanisms_mixed"
        | "client_credentials_malformed"
        | "client_id_mismatch"
        | "secret_missing"
        | "secret_wrong"
        | "secret_expired"
        | "secret_retired"
        | "secret_of_other_environment"
        | "secret_of_other_client"
        | "secret_from_public_client"
        | "assertion_missing"
        | "assertion_unexpected"
        | "assertion_malformed"
        | "assertion_key_unknown"
        | "assertion_signature_wrong"
        | "assertion_expired"
        | "assertion_not_yet_valid"
        | "assertion_wrong_audience"
        | "assertion_replayed"
        | "client_keys_unavailable"
        | "client_document_unavailable"
        | "client_document_invalid"
        | "registration_closed"
        | "registration_token_invalid"
        | "registration_quota"
        | "registration_blocked"
        | "client_metadata_invalid"
        | "client_redirect_uri_invalid"
        | "upstream_state_unknown"
        | "upstream_denied"
        | "upstream_unavailable"
        | "upstream_answer_invalid"
        | "upstream_user_refused"
        | "redirect_uri_missing"
        | "redirect_uri_unregistered"
        | "response_type_unsupported"
        | "response_mode_unsupported"
        | "request_object_unsupported"
        | "pkce_missing"
        | "pkce_method_unsupported"
        | "pkce_challenge_malformed"
        | "scope_malformed"
        | "scope_unknown"
        | "scope_left_out"
        | "scope_not_allowed"
        | "scope_exceeds_grant"
        | "resource_unknown"
        | "resource_ambiguous"
        | "resource_of_other_environment"
        | "resource_refuses_strangers"
        | "scope_of_other_resource"
        | "prompt_invalid"
        | "prompt_none_unmet"
        | "authentication_context_unknown"
        | "authentication_level_unmet"
        | "user_denied"
        | "session_ended"
        | "request_not_pushed"
        | "pushed_request_unknown"
        | "pushed_request_expired"
        | "pushed_request_of_other_client"
        | "pushed_request_used"
        | "test_run_ended"
        | "test_run_of_other_user"
        | "test_run_differs"
        | "test_run_redirect_differs"
        | "preview_slot_ended"
        | "pending_request_expired"
        | "csrf_failed"
        | "form_cookies_lost"
        | "grant_type_missing"
        | "grant_type_unsupported"
        | "code_unknown"
        | "code_expired"
        | "code_of_other_client"
        | "code_replayed"
        | "redirect_uri_differs"
        | "verifier_missing"
        | "verifier_malformed"
        | "verifier_wrong"
        | "verifier_attempts_exhausted"
        | "refresh_token_unknown"
        | "refresh_token_expired"
        | "refresh_token_of_other_client"
        | "refresh_token_reused"
        | "device_code_unknown"
        | "device_code_expired"
        | "device_code_of_other_client"
        | "device_code_used"
        | "device_pending"
        | "device_polled_too_fast"
        | "device_denied"
        | "grant_revoked"
        | "user_disabled"
        | "token_of_other_client"
        | "token_of_other_environment"
        | "token_without_user"
        | "token_type_unsupported"
        | "exchange_chain_too_long"
        | "dpop_missing"
        | "dpop_malformed"
        | "dpop_key_unsuitable"
        | "dpop_signature_wrong"
        | "dpop_of_other_request"
        | "dpop_stale"
        | "dpop_replayed"
        | "dpop_nonce_missing"
        | "dpop_key_differs"
        | "token_missing"
        | "token_malformed"
        | "token_unknown"
        | "token_expired"
        | "token_revoked"
        | "token_wrong_audience"
        | "scope_insufficient"
        | "authentication_too_weak"
        | "authentication_too_old"
        | "authorization_repeated"
        | "token_scheme_wrong"
        | "rate_limited"
        | "passwords_busy"
        | "store_unavailable"
        | "internal";
      endpoint: string;
      difference: string;
      firstAt: number;
      lastAt: number;
      count: number;
      mutedUntil: number | null;
      resolvedAt: number | null;
      regressedAt: number | null;
      explanation: string;
      howToFix: string;
      actor: "client developer" | "admin" | "user" | "operator" | "nobody";
      state: "open" | "regressed" | "muted" | "resolved";
      client: {
        clientId: string;
        applicationId: string | null;
        applicationName: string | null;
        name: string | null;
        environment: "development" | "staging" | "production" | null;
      } | null;
      trend: number[];
    };
  };
  "refusals.groups": {
    kind: "query";
    input: {
      cursor?: (string | null) | undefined;
      limit?: number | undefined;
      clientId?: string | undefined;
      cause?:
        | (
            | "method_not_allowed"
            | "content_type_unsupported"
            | "body_unreadable"
            | "body_late"
            | "parameter_missing"
            | "parameter_repeated"
            | "parameter_malformed"
            | "parameter_in_query"
            | "request_too_large"
            | "client_missing"
            | "client_unknown"
            | "client_disabled"
            | "client_grant_not_allowed"
            | "client_mechanisms_mixed"
            | "client_credentials_malformed"
            | "client_id_mismatch"
            | "secret_missing"
            | "secret_wrong"
            | "secret_expired"
            | "secret_retired"
            | "secret_of_other_environment"
            | "secret_of_other_client"
            | "secret_from_public_client"
            | "assertion_missing"
            | "assertion_unexpected"
            | "assertion_malformed"
            | "assertion_key_unknown"
            | "assertion_signature_wrong"
            | "assertion_expired"
            | "assertion_not_yet_valid"
            | "assertion_wrong_audience"
            | "assertion_replayed"
            | "client_keys_unavailable"
            | "client_document_unavailable"
            | "client_document_invalid"
            | "registration_closed"
            | "registration_token_invalid"
            | "registration_quota"
            | "registration_blocked"
            | "client_metadata_invalid"
            | "client_redirect_uri_invalid"
            | "upstream_state_unknown"
            | "upstream_denied"
            | "upstream_unavailable"
            | "upstream_answer_invalid"
            | "upstream_user_refused"
            | "redirect_uri_missing"
            | "redirect_uri_unregistered"
            | "response_type_unsupported"
            | "response_mode_unsupported"
            | "request_object_unsupported"
            | "pkce_missing"
            | "pkce_method_unsupported"
            | "pkce_challenge_malformed"
            | "scope_malformed"
            | "scope_unknown"
            | "scope_left_out"
            | "scope_not_allowed"
            | "scope_exceeds_grant"
            | "resource_unknown"
            | "resource_ambiguous"
            | "resource_of_other_environment"
            | "resource_refuses_strangers"
            | "scope_of_other_resource"
            | "prompt_invalid"
            | "prompt_none_unmet"
            | "authentication_context_unknown"
            | "authentication_level_unmet"
            | "user_denied"
            | "session_ended"
            | "request_not_pushed"
            | "pushed_request_unknown"
            | "pushed_request_expired"
            | "pushed_request_of_other_client"
            | "pushed_request_used"
            | "test_run_ended"
            | "test_run_of_other_user"
            | "test_run_differs"
            | "test_run_redirect_differs"
            | "preview_slot_ended"
            | "pending_request_expired"
            | "csrf_failed"
            | "form_cookies_lost"
            | "grant_type_missing"
            | "grant_type_unsupported"
            | "code_unknown"
            | "code_expired"
            | "code_of_other_client"
            | "code_replayed"
            | "redirect_uri_differs"
            | "verifier_missing"
            | "verifier_malformed"
            | "verifier_wrong"
            | "verifier_attempts_exhausted"
            | "refresh_token_unknown"
            | "refresh_token_expired"
            | "refresh_token_of_other_client"
            | "refresh_token_reused"
            | "device_code_unknown"
            | "device_code_expired"
            | "device_code_of_other_client"
            | "device_code_used"
            | "device_pending"
            | "device_polled_too_fast"
            | "device_denied"
            | "grant_revoked"
            | "user_disabled"
            | "token_of_other_client"
            | "token_of_other_environment"
            | "token_without_user"
            | "token_type_unsupported"
            | "exchange_chain_too_long"
            | "dpop_missing"
            | "dpop_malformed"
            | "dpop_key_unsuitable"
            | "dpop_signature_wrong"
            | "dpop_of_other_request"
            | "dpop_stale"
            | "dpop_replayed"
            | "dpop_nonce_missing"
            | "dpop_key_differs"
            | "token_missing"
            | "token_malformed"
            | "token_unknown"
            | "token_expired"
            | "token_revoked"
            | "token_wrong_audience"
            | "scope_insufficient"
            | "authentication_too_weak"
            | "authentication_too_old"
            | "authorization_repeated"
            | "token_scheme_wrong"
            | "rate_limited"
            | "passwords_busy"
            | "store_unavailable"
            | "internal"
          )
        | undefined;
      endpoint?: string | undefined;
      environment?: ("development" | "staging" | "production") | undefined;
      state?: ("open" | "regressed" | "muted" | "resolved") | undefined;
      from?: number | undefined;
      to?: number | undefined;
      direction?: "forward" | undefined;
    };
    output: {
      items: {
        key: string;
        cause:
          | "method_not_allowed"
          | "content_type_unsupported"
          | "body_unreadable"
          | "body_late"
          | "parameter_missing"
          | "parameter_repeated"
          | "parameter_malformed"
          | "parameter_in_query"
          | "request_too_large"
          | "client_missing"
          | "client_unknown"
          | "client_disabled"
          | "client_grant_not_allowed"
          | "client_mechanisms_mixed"
          | "client_credentials_malformed"
          | "client_id_mismatch"
          | "secret_missing"
          | "secret_wrong"
          | "secret_expired"
          | "secret_retired"
          | "secret_of_other_environment"
          | "secret_of_other_client"
          | "secret_from_public_client"
          | "assertion_missing"
          | "assertion_unexpected"
          | "assertion_malformed"
          | "assertion_key_unknown"
          | "assertion_signature_wrong"
          | "assertion_expired"
          | "assertion_not_yet_valid"
          | "assertion_wrong_audience"
          | "assertion_replayed"
          | "client_keys_unavailable"
          | "client_document_unavailable"
          | "client_document_invalid"
          | "registration_closed"
          | "registration_token_invalid"
          | "registration_quota"
          | "registration_blocked"
          | "client_metadata_invalid"
          | "client_redirect_uri_invalid"
          | "upstream_state_unknown"
          | "upstream_denied"
          | "upstream_unavailable"
          | "upstream_answer_invalid"
          | "upstream_user_refused"
          | "redirect_uri_missing"
          | "redirect_uri_unregistered"
          | "response_type_unsupported"
          | "response_mode_unsupported"
          | "request_object_unsupported"
          | "pkce_missing"
          | "pkce_method_unsupported"
          | "pkce_challenge_malformed"
          | "scope_malformed"
          | "scope_unknown"
          | "scope_left_out"
          | "scope_not_allowed"
          | "scope_exceeds_grant"
          | "resource_unknown"
          | "resource_ambiguous"
          | "resource_of_other_environment"
          | "resource_refuses_strangers"
          | "scope_of_other_resource"
          | "prompt_invalid"
          | "prompt_none_unmet"
          | "authentication_context_unknown"
          | "authentication_level_unmet"
          | "user_denied"
          | "session_ended"
          | "request_not_pushed"
          | "pushed_request_unknown"
          | "pushed_request_expired"
          | "pushed_request_of_other_client"
          | "pushed_request_used"
          | "test_run_ended"
          | "test_run_of_other_user"
          | "test_run_differs"
          | "test_run_redirect_differs"
          | "preview_slot_ended"
          | "pending_request_expired"
          | "csrf_failed"
          | "form_cookies_lost"
          | "grant_type_missing"
          | "grant_type_unsupported"
          | "code_unknown"
          | "code_expired"
          | "code_of_other_client"
          | "code_replayed"
          | "redirect_uri_differs"
          | "verifier_missing"
          | "verifier_malformed"
          | "verifier_wrong"
          | "verifier_attempts_exhausted"
          | "refresh_token_unknown"
          | "refresh_token_expired"
          | "refresh_token_of_other_client"
          | "refresh_token_reused"
          | "device_code_unknown"
          | "device_code_expired"
          | "device_code_of_other_client"
          | "device_code_used"
          | "device_pending"
          | "device_polled_too_fast"
          | "device_denied"
          | "grant_revoked"
          | "user_disabled"
          | "token_of_other_client"
          | "token_of_other_environment"
          | "token_without_user"
          | "token_type_unsupported"
          | "exchange_chain_too_long"
          | "dpop_missing"
          | "dpop_malformed"
          | "dpop_key_unsuitable"
          | "dpop_signature_wrong"
          | "dpop_of_other_request"
          | "dpop_stale"
          | "dpop_replayed"
          | "dpop_nonce_missing"
          | "dpop_key_differs"
          | "token_missing"
          | "token_malformed"
          | "token_unknown"
          | "token_expired"
          | "token_revoked"
          | "token_wrong_audience"
          | "scope_insufficient"
          | "authentication_too_weak"
          | "authentication_too_old"
          | "authorization_repeated"
          | "token_scheme_wrong"
          | "rate_limited"
          | "passwords_busy"
          | "store_unavailable"
          | "internal";
        endpoint: string;
        difference: string;
        firstAt: number;
        lastAt: number;
        count: number;
        mutedUntil: number | null;
        resolvedAt: number | null;
        regressedAt: number | null;
        explanation: string;
        howToFix: string;
        actor: "client developer" | "admin" | "user" | "operator" | "nobody";
        state: "open" | "regressed" | "muted" | "resolved";
        client: {
          clientId: string;
          applicationId: string | null;
          applicationName: string | null;
          name: string | null;
          environment: "development" | "staging" | "production" | null;
        } | null;
        trend: number[];
      }[];
      nextCursor: string | null;
      searchedBackTo: number | null;
    };
  };
  "refusals.list": {
    kind: "query";
    input: {
      cursor?: (string | null) | undefined;
      limit?: number | undefined;
      clientId?: string | undefined;
      cause?:
        | (
            | "method_not_allowed"
            | "content_type_unsupported"
            | "body_unreadable"
            | "body_late"
            | "parameter_missing"
            | "parameter_repeated"
            | "parameter_malformed"
            | "parameter_in_query"
            | "request_too_large"
            | "client_missing"
            | "client_unknown"
            | "client_disabled"
            | "client_grant_not_allowed"
            | "client_mechanisms_mixed"
            | "client_credentials_malformed"
            | "client_id_mismatch"
            | "secret_missing"
            | "secret_wrong"
            | "secret_expired"
            | "secret_retired"
            | "secret_of_other_environment"
            | "secret_of_other_client"
            | "secret_from_public_client"
            | "assertion_missing"
            | "assertion_unexpected"
            | "assertion_malformed"
            | "assertion_key_unknown"
            | "assertion_signature_wrong"
            | "assertion_expired"
            | "assertion_not_yet_valid"
            | "assertion_wrong_audience"
            | "assertion_replayed"
            | "client_keys_unavailable"
            | "client_document_unavailable"
            | "client_document_invalid"
            | "registration_closed"
            | "registration_token_invalid"
            | "registration_quota"
            | "registration_blocked"
            | "client_metadata_invalid"
            | "client_redirect_uri_invalid"
            | "upstream_state_unknown"
            | "upstream_denied"
            | "upstream_unavailable"
            | "upstream_answer_invalid"
            | "upstream_user_refused"
            | "redirect_uri_missing"
            | "redirect_uri_unregistered"
            | "response_type_unsupported"
            | "response_mode_unsupported"
            | "request_object_unsupported"
            | "pkce_missing"
            | "pkce_method_unsupported"
            | "pkce_challenge_malformed"
            | "scope_malformed"
            | "scope_unknown"
            | "scope_left_out"
            | "scope_not_allowed"
            | "scope_exceeds_grant"
            | "resource_unknown"
            | "resource_ambiguous"
            | "resource_of_other_environment"
            | "resource_refuses_strangers"
            | "scope_of_other_resource"
            | "prompt_invalid"
            | "prompt_none_unmet"
            | "authentication_context_unknown"
            | "authentication_level_unmet"
            | "user_denied"
            | "session_ended"
            | "request_not_pushed"
            | "pushed_request_unknown"
            | "pushed_request_expired"
            | "pushed_request_of_other_client"
            | "pushed_request_used"
            | "test_run_ended"
            | "test_run_of_other_user"
            | "test_run_differs"
            | "test_run_redirect_differs"
            | "preview_slot_ended"
            | "pending_request_expired"
            | "csrf_failed"
            | "form_cookies_lost"
            | "grant_type_missing"
            | "grant_type_unsupported"
            | "code_unknown"
            | "code_expired"
            | "code_of_other_client"
            | "code_replayed"
            | "redirect_uri_differs"
            | "verifier_missing"
            | "verifier_malformed"
            | "verifier_wrong"
            | "verifier_attempts_exhausted"
            | "refresh_token_unknown"
            | "refresh_token_expired"
            | "refresh_token_of_other_client"
            | "refresh_token_reused"
            | "device_code_unknown"
            | "device_code_expired"
            | "device_code_of_other_client"
            | "device_code_used"
            | "device_pending"
            | "device_polled_too_fast"
            | "device_denied"
            | "grant_revoked"
            | "user_disabled"
            | "token_of_other_client"
            | "token_of_other_environment"
            | "token_without_user"
            | "token_type_unsupported"
            | "exchange_chain_too_long"
            | "dpop_missing"
            | "dpop_malformed"
            | "dpop_key_unsuitable"
            | "dpop_signature_wrong"
            | "dpop_of_other_request"
            | "dpop_stale"
            | "dpop_replayed"
            | "dpop_nonce_missing"
            | "dpop_key_differs"
            | "token_missing"
            | "token_malformed"
            | "token_unknown"
            | "token_expired"
            | "token_revoked"
            | "token_wrong_audience"
            | "scope_insufficient"
            | "authentication_too_weak"
            | "authentication_too_old"
            | "authorization_repeated"
            | "token_scheme_wrong"
            | "rate_limited"
            | "passwords_busy"
            | "store_unavailable"
            | "internal"
          )
        | undefined;
      endpoint?: string | undefined;
      environment?: ("development" | "staging" | "production") | undefined;
      address?: string | undefined;
      userId?: string | undefined;
      group?: string | undefined;
      state?: ("open" | "regressed" | "muted" | "resolved") | undefined;
      from?: number | undefined;
      to?: number | undefined;
      direction?: "forward" | undefined;
    };
    output: {
      items: {
        errorId: string;
        at: number;
        endpoint: string;
        error: string;
        cause:
          | "method_not_allowed"
          | "content_type_unsupported"
          | "body_unreadable"
          | "body_late"
          | "parameter_missing"
          | "parameter_repeated"
          | "parameter_malformed"
          | "parameter_in_query"
          | "request_too_large"
          | "client_missing"
          | "client_unknown"
          | "client_disabled"
          | "client_grant_not_allowed"
          | "client_mechanisms_mixed"
          | "client_credentials_malformed"
          | "client_id_mismatch"
          | "secret_missing"
          | "secret_wrong"
          | "secret_expired"
          | "secret_retired"
          | "secret_of_other_environment"
          | "secret_of_other_client"
          | "secret_from_public_client"
          | "assertion_missing"
          | "assertion_unexpected"
          | "assertion_malformed"
          | "assertion_key_unknown"
          | "assertion_signature_wrong"
          | "assertion_expired"
          | "assertion_not_yet_valid"
          | "assertion_wrong_audience"
          | "assertion_replayed"
          | "client_keys_unavailable"
          | "client_document_unavailable"
          | "client_document_invalid"
          | "registration_closed"
          | "registration_token_invalid"
          | "registration_quota"
          | "registration_blocked"
          | "client_metadata_invalid"
          | "client_redirect_uri_invalid"
          | "upstream_state_unknown"
          | "upstream_denied"
          | "upstream_unavailable"
          | "upstream_answer_invalid"
          | "upstream_user_refused"
          | "redirect_uri_missing"
          | "redirect_uri_unregistered"
          | "response_type_unsupported"
          | "response_mode_unsupported"
          | "request_object_unsupported"
          | "pkce_missing"
          | "pkce_method_unsupported"
          | "pkce_challenge_malformed"
          | "scope_malformed"
          | "scope_unknown"
          | "scope_left_out"
          | "scope_not_allowed"
          | "scope_exceeds_grant"
          | "resource_unknown"
          | "resource_ambiguous"
          | "resource_of_other_environment"
          | "resource_refuses_strangers"
          | "scope_of_other_resource"
          | "prompt_invalid"
          | "prompt_none_unmet"
          | "authentication_context_unknown"
          | "authentication_level_unmet"
          | "user_denied"
          | "session_ended"
          | "request_not_pushed"
          | "pushed_request_unknown"
          | "pushed_request_expired"
          | "pushed_request_of_other_client"
          | "pushed_request_used"
          | "test_run_ended"
          | "test_run_of_other_user"
          | "test_run_differs"
          | "test_run_redirect_differs"
          | "preview_slot_ended"
          | "pending_request_expired"
          | "csrf_failed"
          | "form_cookies_lost"
          | "grant_type_missing"
          | "grant_type_unsupported"
          | "code_unknown"
          | "code_expired"
          | "code_of_other_client"
          | "code_replayed"
          | "redirect_uri_differs"
          | "verifier_missing"
          | "verifier_malformed"
          | "verifier_wrong"
          | "verifier_attempts_exhausted"
          | "refresh_token_unknown"
          | "refresh_token_expired"
          | "refresh_token_of_other_client"
          | "refresh_token_reused"
          | "device_code_unknown"
          | "device_code_expired"
          | "device_code_of_other_client"
          | "device_code_used"
          | "device_pending"
          | "device_polled_too_fast"
          | "device_denied"
          | "grant_revoked"
          | "user_disabled"
          | "token_of_other_client"
          | "token_of_other_environment"
          | "token_without_user"
          | "token_type_unsupported"
          | "exchange_chain_too_long"
          | "dpop_missing"
          | "dpop_malformed"
          | "dpop_key_unsuitable"
          | "dpop_signature_wrong"
          | "dpop_of_other_request"
          | "dpop_stale"
          | "dpop_replayed"
          | "dpop_nonce_missing"
          | "dpop_key_differs"
          | "token_missing"
          | "token_malformed"
          | "token_unknown"
          | "token_expired"
          | "token_revoked"
          | "token_wrong_audience"
          | "scope_insufficient"
          | "authentication_too_weak"
          | "authentication_too_old"
          | "authorization_repeated"
          | "token_scheme_wrong"
          | "rate_limited"
          | "passwords_busy"
          | "store_unavailable"
          | "internal";
        explanation: string;
        message: string;
        detail: { [name: string]: string | number | boolean | null };
        actor: "client developer" | "admin" | "user" | "operator" | "nobody";
        howToFix: string;
        client: {
          clientId: string;
          applicationId: string | null;
          applicationName: string | null;
          name: string | null;
          environment: "development" | "staging" | "production" | null;
        } | null;
        address: string | null;
        groupKey: string | null;
      }[];
      nextCursor: string | null;
      searchedBackTo: number | null;
    };
  };
  "refusals.one": {
    kind: "query";
    input: { errorId: string };
    output: {
      errorId: string;
      at: number;
      endpoint: string;
      error: string;
      cause:
        | "method_not_allowed"
        | "content_type_unsupported"
        | "body_unreadable"
        | "body_late"
        | "parameter_missing"
        | "parameter_repeated"
        | "parameter_malformed"
        | "parameter_in_query"
        | "request_too_large"
        | "client_missing"
        | "client_unknown"
        | "client_disabled"
        | "client_grant_not_allowed"
        | "client_mechanisms_mixed"
        | "client_credentials_malformed"
        | "client_id_mismatch"
        | "secret_missing"
        | "secret_wrong"
        | "secret_expired"
        | "secret_retired"
        | "secret_of_other_environment"
        | "secret_of_other_client"
        | "secret_from_public_client"
        | "assertion_missing"
        | "assertion_unexpected"
        | "assertion_malformed"
        | "assertion_key_unknown"
        | "assertion_signature_wrong"
        | "assertion_expired"
        | "assertion_not_yet_valid"
        | "assertion_wrong_audience"
        | "assertion_replayed"
        | "client_keys_unavailable"
        | "client_document_unavailable"
        | "client_document_invalid"
        | "registration_closed"
        | "registration_token_invalid"
        | "registration_quota"
        | "registration_blocked"
        | "client_metadata_invalid"
        | "client_redirect_uri_invalid"
        | "upstream_state_unknown"
        | "upstream_denied"
        | "upstream_unavailable"
        | "upstream_answer_invalid"
        | "upstream_user_refused"
        | "redirect_uri_missing"
        | "redirect_uri_unregistered"
        | "response_type_unsupported"
        | "response_mode_unsupported"
        | "request_object_unsupported"
        | "pkce_missing"
        | "pkce_method_unsupported"
        | "pkce_challenge_malformed"
        | "scope_malformed"
        | "scope_unknown"
        | "scope_left_out"
        | "scope_not_allowed"
        | "scope_exceeds_grant"
        | "resource_unknown"
        | "resource_ambiguous"
        | "resource_of_other_environment"
        | "resource_refuses_strangers"
        | "scope_of_other_resource"
        | "prompt_invalid"
        | "prompt_none_unmet"
        | "authentication_context_unknown"
        | "authentication_level_unmet"
        | "user_denied"
        | "session_ended"
        | "request_not_pushed"
        | "pushed_request_unknown"
        | "pushed_request_expired"
        | "pushed_request_of_other_client"
        | "pushed_request_used"
        | "test_run_ended"
        | "test_run_of_other_user"
        | "test_run_differs"
        | "test_run_redirect_differs"
        | "preview_slot_ended"
        | "pending_request_expired"
        | "csrf_failed"
        | "form_cookies_lost"
        | "grant_type_missing"
        | "grant_type_unsupported"
        | "code_unknown"
        | "code_expired"
        | "code_of_other_client"
        | "code_replayed"
        | "redirect_uri_differs"
        | "verifier_missing"
        | "verifier_malformed"
        | "verifier_wrong"
        | "verifier_attempts_exhausted"
        | "refresh_token_unknown"
        | "refresh_token_expired"
        | "refresh_token_of_other_client"
        | "refresh_token_reused"
        | "device_code_unknown"
        | "device_code_expired"
        | "device_code_of_other_client"
        | "device_code_used"
        | "device_pending"
        | "device_polled_too_fast"
        | "device_denied"
        | "grant_revoked"
        | "user_disabled"
        | "token_of_other_client"
        | "token_of_other_environment"
        | "token_without_user"
        | "token_type_unsupported"
        | "exchange_chain_too_long"
        | "dpop_missing"
        | "dpop_malformed"
        | "dpop_key_unsuitable"
        | "dpop_signature_wrong"
        | "dpop_of_other_request"
        | "dpop_stale"
        | "dpop_replayed"
        | "dpop_nonce_missing"
        | "dpop_key_differs"
        | "token_missing"
        | "token_malformed"
        | "token_unknown"
        | "token_expired"
        | "token_revoked"
        | "token_wrong_audience"
        | "scope_insufficient"
        | "authentication_too_weak"
        | "authentication_too_old"
        | "authorization_repeated"
        | "token_scheme_wrong"
        | "rate_limited"
        | "passwords_busy"
        | "store_unavailable"
        | "internal";
      explanation: string;
      message: string;
      detail: { [name: string]: string | number | boolean | null };
      actor: "client developer" | "admin" | "user" | "operator" | "nobody";
      howToFix: string;
      client: {
        clientId: string;
        applicationId: string | null;
        applicationName: string | null;
        name: string | null;
        environment: "development" | "staging" | "production" | null;
      } | null;
      address: string | null;
      groupKey: string | null;
      sentence: string;
      facts: { label: string; value: string }[];
      uri: {
        sent: string;
        registered: string[];
        comparison: {
          matched: string | null;
          nearest: string | null;
          differsAt: number;
          differences: {
            kind:
              | "white_space"
              | "characters"
              | "other_environment"
              | "scheme"
              | "user_name"
              | "host"
              | "port"
              | "case"
              | "slash"
              | "encoding"
              | "path"
              | "query"
              | "fragment";
            text: string;
          }[];
        };
      } | null;
      fix:
        | { kind: "add_redirect_uri"; value: string; newHost: boolean }
        | { kind: "add_scope" | "add_grant_type"; value: string }
        | { kind: "enable_client" | "add_secret" }
        | null;
      canTry: boolean;
      group: {
        key: string;
        cause:
          | "method_not_allowed"
          | "content_type_unsupported"
          | "body_unreadable"
          | "body_late"
          | "parameter_missing"
          | "parameter_repeated"
          | "parameter_malformed"
          | "parameter_in_query"
          | "request_too_large"
          | "client_missing"
          | "client_unknown"
          | "client_disabled"
          | "client_grant_not_allowed"
          | "client_mechanisms_mixed"
          | "client_credentials_malformed"
          | "client_id_mismatch"
          | "secret_missing"
          | "secret_wrong"
          | "secret_expired"
          | "secret_retired"
          | "secret_of_other_environment"
          | "secret_of_other_client"
          | "secret_from_public_client"
          | "assertion_missing"
          | "assertion_unexpected"
          | "assertion_malformed"
          | "assertion_key_unknown"
          | "assertion_signature_wrong"
          | "assertion_expired"
          | "assertion_not_yet_valid"
          | "assertion_wrong_audience"
          | "assertion_replayed"
          | "client_keys_unavailable"
          | "client_document_unavailable"
          | "client_document_invalid"
          | "registration_closed"
          | "registration_token_invalid"
          | "registration_quota"
          | "registration_blocked"
          | "client_metadata_invalid"
          | "client_redirect_uri_invalid"
          | "upstream_state_unknown"
          | "upstream_denied"
          | "upstream_unavailable"
          | "upstream_answer_invalid"
          | "upstream_user_refused"
          | "redirect_uri_missing"
          | "redirect_uri_unregistered"
          | "response_type_unsupported"
          | "response_mode_unsupported"
          | "request_object_unsupported"
          | "pkce_missing"
          | "pkce_method_unsupported"
          | "pkce_challenge_malformed"
          | "scope_malformed"
          | "scope_unknown"
          | "scope_left_out"
          | "scope_not_allowed"
          | "scope_exceeds_grant"
          | "resource_unknown"
          | "resource_ambiguous"
          | "resource_of_other_environment"
          | "resource_refuses_strangers"
          | "scope_of_other_resource"
          | "prompt_invalid"
          | "prompt_none_unmet"
          | "authentication_context_unknown"
          | "authentication_level_unmet"
          | "user_denied"
          | "session_ended"
          | "request_not_pushed"
          | "pushed_request_unknown"
          | "pushed_request_expired"
          | "pushed_request_of_other_client"
          | "pushed_request_used"
          | "test_run_ended"
          | "test_run_of_other_user"
          | "test_run_differs"
          | "test_run_redirect_differs"
          | "preview_slot_ended"
          | "pending_request_expired"
          | "csrf_failed"
          | "form_cookies_lost"
          | "grant_type_missing"
          | "grant_type_unsupported"
          | "code_unknown"
          | "code_expired"
          | "code_of_other_client"
          | "code_replayed"
          | "redirect_uri_differs"
          | "verifier_missing"
          | "verifier_malformed"
          | "verifier_wrong"
          | "verifier_attempts_exhausted"
          | "refresh_token_unknown"
          | "refresh_token_expired"
          | "refresh_token_of_other_client"
          | "refresh_token_reused"
          | "device_code_unknown"
          | "device_code_expired"
          | "device_code_of_other_client"
          | "device_code_used"
          | "device_pending"
          | "device_polled_too_fast"
          | "device_denied"
          | "grant_revoked"
          | "user_disabled"
          | "token_of_other_client"
          | "token_of_other_environment"
          | "token_without_user"
          | "token_type_unsupported"
          | "exchange_chain_too_long"
          | "dpop_missing"
          | "dpop_malformed"
          | "dpop_key_unsuitable"
          | "dpop_signature_wrong"
          | "dpop_of_other_request"
          | "dpop_stale"
          | "dpop_replayed"
          | "dpop_nonce_missing"
          | "dpop_key_differs"
          | "token_missing"
          | "token_malformed"
          | "token_unknown"
          | "token_expired"
          | "token_revoked"
          | "token_wrong_audience"
          | "scope_insufficient"
          | "authentication_too_weak"
          | "authentication_too_old"
          | "authorization_repeated"
          | "token_scheme_wrong"
          | "rate_limited"
          | "passwords_busy"
          | "store_unavailable"
          | "internal";
        endpoint: string;
        difference: string;
        firstAt: number;
        lastAt: number;
        count: number;
        mutedUntil: number | null;
        resolvedAt: number | null;
        regressedAt: number | null;
        explanation: string;
        howToFix: string;
        actor: "client developer" | "admin" | "user" | "operator" | "nobody";
        state: "open" | "regressed" | "muted" | "resolved";
        client: {
          clientId: string;
          applicationId: string | null;
          applicationName: string | null;
          name: string | null;
          environment: "development" | "staging" | "production" | null;
        } | null;
      } | null;
    };
  };
};

/** Queries read, mutations do everything else. */
export const KINDS: { readonly [Path in keyof Procedures]: Procedures[Path]["kind"] } = {
  "applications.get": "query",
  "applications.list": "query",
  "audit.export": "mutation",
  "audit.exportPage": "mutation",
  "audit.get": "query",
  "audit.history": "query",
  "audit.list": "query",
  "audit.verify": "query",
  "clients.get": "query",
  "clients.secrets": "query",
  "clients.use": "query",
  "configuration.applyFile": "mutation",
  "configuration.drift": "query",
  "configuration.export": "query",
  "configuration.plan": "mutation",
  "deliveries.export": "mutation",
  "deliveries.exportPage": "mutation",
  "deliveries.facets": "query",
  "deliveries.get": "query",
  "deliveries.list": "query",
  "deliveries.related": "query",
  "deliveries.stats": "query",
  "previews.end": "mutation",
  "previews.list": "query",
  "previews.put": "mutation",
  "refusals.group": "query",
  "refusals.groups": "query",
  "refusals.list": "query",
  "refusals.one": "query",
};
