# The commands for development. `make` alone lists them.
SHELL := /bin/sh
# The packages include the Node version of the project, so any Node from 20 on is enough to install them.
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
define REQUIRE_NODE
command -v node >/dev/null && command -v npm >/dev/null || { \
	echo "Node 20 or newer with npm is required: install it and run this again." >&2; exit 1; }; \
node -e 'process.exit(parseInt(process.versions.node) >= 20 ? 0 : 1)' || { \
	echo "Node $$(node --version) is too old: Node 20 or newer is required." >&2; exit 1; }
endef
.DEFAULT_GOAL := help
.PHONY: help start dev doctor test test-long changed watch check advisories e2e bench capacity seed verify backup backup-list backup-verify restore faults restore-drill schemathesis cluster-test upgrade-test release gallery dead stripe-check stripe-conformance stripe-inbox docs logs admin env reset

help: ## lists the commands
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 19

start: node_modules/.package-lock.json ## starts the product on this machine; Ctrl-C stops it (PORT=7000 for other ports)
	@NODE_COMPILE_CACHE="$(CURDIR)/.local/compile-cache" exec node deploy/local/src/start.ts --follow-parent

dev: node_modules/.package-lock.json ## like start, and reloads changed sources (pages with hot reload at PORT + 15)
	@exec node deploy/local/src/start.ts --watch --follow-parent

doctor: ## says what is missing or in the way on this machine, and what to do about it (PORT=7000 for other ports)
	@$(REQUIRE_NODE)
	@test -x node_modules/.bin/node || { \
		echo "problem  The packages are not installed; run npm ci, then make doctor again for the rest." >&2; exit 1; }
	@exec node deploy/local/src/doctor.ts

test: node_modules/.package-lock.json ## runs all checks and tests, make test changed those of the changes since origin/main (or since=<commit>), make test t=<path> one file or folder
	@SINCE="$(since)" exec node tests/run.ts $(filter-out test,$(MAKECMDGOALS)) $(t)

test-long: node_modules/.package-lock.json ## runs in full what make test samples (seed=<n> repeats a run)
	@SEED="$(or $(seed),$(SEED))" exec node tests/run.ts long $(filter-out test-long,$(MAKECMDGOALS))

# The word after `test`; it makes nothing of its own.
changed:
	@:

watch: node_modules/.package-lock.json ## runs the tests of changed files again and again (or those of a path: make watch t=web/test)
	@exec vitest watch $(or $(t),--changed)

check: node_modules/.package-lock.json ## checks format, lint, types, import directions and dead code
	@exec npm run --silent check

advisories: node_modules/.package-lock.json ## compares the packages with published advisories
	@exec npm audit

e2e: node_modules/.package-lock.json ## runs the browser tests alone
	@exec node tests/run.ts e2e

bench: node_modules/.package-lock.json ## runs the benchmarks, or one: make bench b=directory
	@exec node --disable-warning=TimeoutNegativeWarning tools/bench/run.ts $(b)

capacity: node_modules/.package-lock.json ## computes what a number of users needs: make capacity use="users=50000 premium=0.2 logins=0.3 charges=1 peak=4" (docs/kubernetes.md)
	@exec node tools/capacity/main.ts "$(use)"

seed: node_modules/.package-lock.json ## adds generated users to the running product: make seed n=100000
	@exec node tools/seed/main.ts $(n)

verify: node_modules/.package-lock.json ## checks the invariants of the running product
	@exec node deploy/local/src/operate.ts worker verify

backup: node_modules/.package-lock.json ## backs up the running product into .local/backups (docs/backup.md)
	@exec node deploy/local/src/backup.ts backup

backup-list: node_modules/.package-lock.json ## lists the backups, and the instants to which they can be restored
	@exec node deploy/local/src/backup.ts backup list

backup-verify: node_modules/.package-lock.json ## restores the newest backup into a temporary server and checks it
	@exec node deploy/local/src/backup.ts backup verify

restore: node_modules/.package-lock.json ## restores the stopped product: make restore at=2026-11-29T12:00:00Z (only=credits for one database, yes=yes without a question; no `at`: the newest instant)
	@exec node deploy/local/src/backup.ts restore $(if $(at),--at "$(at)") $(if $(only),--only "$(only)") $(if $(filter yes,$(yes)),--yes)

faults: node_modules/.package-lock.json ## runs the product under injected faults: make faults rounds=5 seed=1 (or at fail points: point=all)
	@exec node tools/faults/run.ts "$(rounds)" "$(seed)" "$(point)"

restore-drill: node_modules/.package-lock.json ## sets databases back to earlier instants during use, loses Redis and Kafka, and brings all up to date: make restore-drill rounds=20 seed=1
	@exec node --disable-warning=TimeoutNegativeWarning tools/restore-drill/run.ts "$(rounds)" "$(seed)"

schemathesis: node_modules/.package-lock.json ## compares a product of its own with the descriptions of its APIs, with a session of each role: make schemathesis n=200 seed=1 (needs Python 3)
	@exec node tools/schemathesis/main.ts "$(n)" "$(seed)"

cluster-test: node_modules/.package-lock.json ## installs the chart into a cluster and puts it through updates, kills and losses: make cluster-test minutes=10 from=<commit> (docs/kubernetes.md)
	@exec tools/cluster/run "$(minutes)" "$(from)" "$(only)"

upgrade-test: node_modules/.package-lock.json ## runs an earlier release and this one at once, in use: make upgrade-test from=<tag or commit> rounds=1 seed=1 (docs/releasing.md)
	@exec node --disable-warning=TimeoutNegativeWarning tools/upgrade-test/main.ts "$(from)" "$(rounds)" "$(seed)" "$(only)"

release: node_modules/.package-lock.json ## checks, packages, commits and tags a version: make release v=1.0.1 (docs/releasing.md)
	@exec node tools/release/main.ts "$(v)"

stripe-check: node_modules/.package-lock.json ## checks the account at Stripe: make stripe-check, then apply=yes creates what is missing (test mode)
	@exec node deploy/local/src/operate.ts billing stripe-check $(if $(filter yes,$(apply)),--apply,$(apply))

stripe-conformance: node_modules/.package-lock.json ## records 25 payment scenarios at Stripe in test mode (or in the sandbox), then compare="one other" (docs/going-live.md)
	@exec node tools/stripe/main.ts "$(name)" "$(compare)"

stripe-inbox: node_modules/.package-lock.json ## lists unprocessed Stripe events: make stripe-inbox, then replay=all or an id
	@exec node deploy/local/src/operate.ts billing stripe-inbox $(if $(replay),replay "$(replay)" --yes,list)

dead: node_modules/.package-lock.json ## lists dead letters of a consumer: make dead s=credits, then replay=all or an id
	@exec node deploy/local/src/operate.ts "$(s)" dead $(if $(replay),replay "$(replay)" --yes,list)

gallery: node_modules/.package-lock.json ## the journeys of every mail and every screen, with screenshots in .local/gallery
	@export GALLERY="$(CURDIR)/.local/gallery"; node tests/run.ts tests/journeys/mails.spec.ts && exec node tests/run.ts tests/journeys/screens.spec.ts

docs: node_modules/.package-lock.json ## regenerates the generated pages
	@exec npm run --silent docs

logs: ## follows the log of a process: make logs s=credits
	@test -n "$(s)" || { echo "Name the process, as in: make logs s=credits" >&2; exit 2; }
	@test -f ".local/logs/$(s).log" || { echo "There is no log of $(s); make start writes it." >&2; exit 2; }
	@exec tail -n 50 -f ".local/logs/$(s).log"

admin: node_modules/.package-lock.json ## creates an admin while the product runs: make admin email=a@b.c (prompts for the password; role=support, finance or read_only instead of owner; password=new for an existing one, factors=remove also removes lost factors)
	@exec node deploy/local/src/operate.ts identity admin $(if $(factors)$(password),recover "$(email)" --new-password $(if $(filter remove,$(factors)),--remove-factors),create "$(email)" $(if $(role),--role "$(role)"))

env: node_modules/.package-lock.json ## writes .env for `docker compose --profile app up`
	@exec node deploy/local/src/write-env.ts

reset: node_modules/.package-lock.json ## deletes all local data
	@exec node deploy/local/src/reset.ts

# npm writes this file at each installation, so its time shows whether the packages match the lock file.
node_modules/.package-lock.json: package-lock.json
	@$(REQUIRE_NODE)
	@echo "Installing the packages …"
	@npm ci --no-audit --no-fund --loglevel=error
	@touch $@
