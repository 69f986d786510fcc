{{- define "gatehouse.labels" -}}
app.kubernetes.io/name: gatehouse
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* Of a program: dict "root" $ "component" "server" */}}
{{- define "gatehouse.selector" -}}
app.kubernetes.io/name: gatehouse
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "gatehouse.image" -}}
{{- with .Values.image }}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{/* The "restricted" standard of Kubernetes. The group reads the files of the Secret. */}}
{{- define "gatehouse.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "gatehouse.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "gatehouse.environment" -}}
- name: GATEHOUSE_ISSUER
  value: {{ .Values.issuer | quote }}
- name: GATEHOUSE_ADMIN_URL
  value: {{ .Values.adminUrl | quote }}
- name: GATEHOUSE_SECRET_FILE
  value: /run/secrets/gatehouse/secret
- name: GATEHOUSE_TRUSTED_PROXIES
  value: {{ .Values.trustedProxies | quote }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{/* What only the server and the migration know. */}}
{{- define "gatehouse.databaseEnvironment" -}}
{{- if eq .Values.database.engine "postgres" }}
- name: DATABASE_URL_FILE
  value: /run/secrets/gatehouse/database-url
{{- end }}
{{- end }}

{{/* dict "root" $ "keys" (list "secret") */}}
{{- define "gatehouse.secretVolume" -}}
name: secrets
secret:
  secretName: {{ .root.Values.secretName }}
  defaultMode: 0440
  items:
  {{- range .keys }}
    - key: {{ . }}
      path: {{ . }}
  {{- end }}
{{- end }}

{{- define "gatehouse.serverKeys" -}}
{{- if eq .Values.database.engine "postgres" }}secret database-url{{ else }}secret{{ end }}
{{- end }}

{{/* dict "root" $ "component" "server" */}}
{{- define "gatehouse.spread" -}}
{{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
- topologyKey: {{ . }}
  maxSkew: 1
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels: {{- include "gatehouse.selector" $ | nindent 6 }}
{{- end }}
{{- end }}

{{/* dict "port" 3000 "ready" "/readyz". A migration may take ten minutes before the first answer. */}}
{{- define "gatehouse.probes" -}}
startupProbe:
  httpGet: { path: {{ .ready }}, port: http }
  periodSeconds: 5
  timeoutSeconds: 3
  failureThreshold: 120
readinessProbe:
  httpGet: { path: {{ .ready }}, port: http }
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 2
livenessProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- end }}
