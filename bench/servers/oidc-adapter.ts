import type { Database } from "better-sqlite3";
import type { Adapter, AdapterPayload } from "oidc-provider";

/**
 * node-oidc-provider's storage on SQLite, as in its own examples: one table of payloads, with an index for each lookup.
 * Every statement is prepared once.
 */
export function sqliteAdapter(db: Database): (name: string) => Adapter {
  db.exec(`
    CREATE TABLE IF NOT EXISTS payloads (model TEXT NOT NULL, id TEXT NOT NULL, payload TEXT NOT NULL, grant_id TEXT, user_code TEXT,
      uid TEXT, expires_at INTEGER, consumed_at INTEGER, PRIMARY KEY (model, id)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS payloads_grant_id ON payloads (grant_id) WHERE grant_id IS NOT NULL;
    CREATE INDEX IF NOT EXISTS payloads_user_code ON payloads (user_code) WHERE user_code IS NOT NULL;
    CREATE INDEX IF NOT EXISTS payloads_uid ON payloads (uid) WHERE uid IS NOT NULL;
    CREATE INDEX IF NOT EXISTS payloads_expires_at ON payloads (expires_at);
  `);
  type Row = { payload: string; expires_at: number | null; consumed_at: number | null };
  const upsert =
    db.prepare(`INSERT INTO payloads VALUES (?, ?, ?, ?, ?, ?, ?, NULL) ON CONFLICT (model, id) DO UPDATE SET
    payload = excluded.payload, grant_id = excluded.grant_id, user_code = excluded.user_code, uid = excluded.uid, expires_at = excluded.expires_at`);
  const byId = db.prepare<[string, string], Row>(
    "SELECT payload, expires_at, consumed_at FROM payloads WHERE model = ? AND id = ?",
  );
  const byUid = db.prepare<[string, string], Row>(
    "SELECT payload, expires_at, consumed_at FROM payloads WHERE model = ? AND uid = ?",
  );
  const byUserCode = db.prepare<[string, string], Row>(
    "SELECT payload, expires_at, consumed_at FROM payloads WHERE model = ? AND user_code = ?",
  );
  const consume = db.prepare("UPDATE payloads SET consumed_at = ? WHERE model = ? AND id = ?");
  const destroy = db.prepare("DELETE FROM payloads WHERE model = ? AND id = ?");
  const revokeByGrantId = db.prepare("DELETE FROM payloads WHERE grant_id = ?");
  const now = () => Math.floor(Date.now() / 1000);

  const read = (row: Row | undefined): AdapterPayload | undefined => {
    if (!row || (row.expires_at !== null && row.expires_at <= now())) return undefined;
    const payload: AdapterPayload = JSON.parse(row.payload);
    return row.consumed_at === null ? payload : { ...payload, consumed: row.consumed_at };
  };

  return (model) => ({
    async upsert(id, payload, expiresIn) {
      const { grantId = null, userCode = null, uid = null } = payload;
      upsert.run(model, id, JSON.stringify(payload), grantId, userCode, uid, expiresIn ? now() + expiresIn : null);
    },
    find: async (id) => read(byId.get(model, id)),
    findByUid: async (uid) => read(byUid.get(model, uid)),
    findByUserCode: async (userCode) => read(byUserCode.get(model, userCode)),
    consume: async (id) => void consume.run(now(), model, id),
    destroy: async (id) => void destroy.run(model, id),
    revokeByGrantId: async (grantId) => void revokeByGrantId.run(grantId),
  });
}
