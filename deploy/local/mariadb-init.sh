# The image's entry point sources this file when it initialises the data directory: one database per service and one account
# with rights on it alone. A service without a password gets neither; `make start` creates them itself.

create_database() { # create_database NAME PASSWORD
  [ -n "$2" ] || return 0
  docker_process_sql --database=mysql <<SQL
CREATE DATABASE IF NOT EXISTS \`$1\` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
CREATE USER IF NOT EXISTS '$1'@'%' IDENTIFIED BY '$2';
GRANT ALL PRIVILEGES ON \`$1\`.* TO '$1'@'%';
SQL
}

create_database identity "${IDENTITY_DB_PASSWORD:-}"
create_database profile "${PROFILE_DB_PASSWORD:-}"
create_database billing "${BILLING_DB_PASSWORD:-}"
create_database credits "${CREDITS_DB_PASSWORD:-}"
create_database worker "${WORKER_DB_PASSWORD:-}"
