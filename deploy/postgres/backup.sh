#!/bin/sh
# Backups of PostgreSQL with its own tools: a dump a day, and each week one is restored for a test into a scratch
# database. docs/operations.md#postgresql
#
#   backup.sh daily            until it is stopped: the container of compose.postgres.yaml
#   backup.sh once             for cron
#   backup.sh list
#   backup.sh restore <name>   keeps the database that it replaces; end all access with `gatehouse restored` afterwards
#
# The variables of PostgreSQL's programs name the database (PGHOST, PGUSER, PGDATABASE …), and POSTGRES_PASSWORD_FILE a file
# with the password. BACKUP_DIR is the folder of the dumps, BACKUP_KEEP how many stay.
set -eu
umask 077

: "${PGDATABASE:?names the database}"
cd "${BACKUP_DIR:?names the folder of the dumps}"
keep=${BACKUP_KEEP:-14}
if [ -n "${POSTGRES_PASSWORD_FILE:-}" ]; then
  PGPASSWORD=$(cat "$POSTGRES_PASSWORD_FILE")
  export PGPASSWORD
fi

say() { echo "$(date -u +%FT%TZ) $*"; }
fail() { say "$*" >&2; exit 1; }
dumps() { find . -maxdepth 1 -name 'gatehouse-*.dump' | sort; }
now() { date -u +%Y%m%dT%H%M%SZ; }
ask() { psql --no-password --tuples-only --no-align --dbname="$1" --command="$2"; }

# Into a new database with the owner of the one in use.
restore_into() {
  owner=$(ask postgres "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = '$PGDATABASE'")
  dropdb --no-password --if-exists "$2"
  createdb --no-password --template=template0 ${owner:+--owner="$owner"} "$2"
  pg_restore --no-password --exit-on-error --dbname="$2" "$1"
}

# The dump has its name only once it is complete, readable and on the disk.
make() {
  rm -f ./*.partial
  name="gatehouse-$(now).dump"
  pg_dump --no-password --format=custom --file="$name.partial"
  pg_restore --list "$name.partial" > /dev/null
  sync "$name.partial"
  mv "$name.partial" "$name"
  sync .
  say "dumped $PGDATABASE to $name"
}

# An empty file beside the dump says that it was restored for a test; gatehouse status reads its time.
try_newest() {
  newest=$(dumps | tail -n 1)
  scratch="${PGDATABASE}_drill"
  restore_into "$newest" "$scratch"
  rows=$(ask "$scratch" 'SELECT count(*) FROM installation')
  dropdb --no-password "$scratch"
  [ "$rows" -gt 0 ] || fail "$newest has no installation in it"
  touch "$newest.verified"
  say "restored $newest for a test"
}

# The newest dumps stay, and the last one that was restored for a test.
delete_old() {
  verified=$(find . -maxdepth 1 -name 'gatehouse-*.dump.verified' | sort | tail -n 1)
  dumps | head -n "-$keep" | while read -r old; do
    [ "$old.verified" = "$verified" ] && continue
    rm -f "$old" "$old.verified"
    say "deleted $old"
  done
}

once() {
  make
  [ -n "$(find . -maxdepth 1 -name 'gatehouse-*.dump.verified' -mtime -7)" ] || try_newest
  delete_old
}

# In a shell of its own: `set -e` has no effect in a condition.
daily() {
  trap 'exit 0' TERM INT
  while :; do
    if [ -z "$(find . -maxdepth 1 -name 'gatehouse-*.dump' -mmin -1440)" ]; then
      sh "$0" once || say "the backup failed, and is tried again in 15 minutes" >&2
    fi
    sleep 900 &
    wait $!
  done
}

# Into a new database first, which then takes the place of the old one.
restore() {
  [ -f "$1" ] || fail "there is no dump $1: backup.sh list"
  new="${PGDATABASE}_restoring"
  old="${PGDATABASE}_before_$(now)"
  restore_into "$1" "$new"
  psql --no-password --dbname=postgres --quiet --single-transaction --set=ON_ERROR_STOP=1 \
    --command="ALTER DATABASE \"$PGDATABASE\" RENAME TO \"$old\"" \
    --command="ALTER DATABASE \"$new\" RENAME TO \"$PGDATABASE\"" \
    || fail "stop everything that uses $PGDATABASE, and try again"
  say "restored $1; the database before is $old. Run gatehouse restored before the servers start"
}

case "${1:-}" in
  daily) daily ;;
  once) once ;;
  list) dumps | cut -c 3- ;;
  restore) restore "${2:?the name of a dump, as backup.sh list prints it}" ;;
  *) fail "usage: backup.sh daily | once | list | restore <name>" ;;
esac
