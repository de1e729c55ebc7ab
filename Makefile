# Everything a developer does, by one word. `make` alone lists the words.
SHELL := /bin/sh
# The right Node comes with the packages, so that any Node from 20 on is enough to begin.
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
.DEFAULT_GOAL := help
.PHONY: help start dev test check e2e bench seed audit faults gallery guards dead stripe-inbox docs logs admin env reset

help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 14

start: node_modules/.package-lock.json ## everything, on this machine; Ctrl-C ends it (PORT=6000 for other ports)
	@exec node deploy/local/src/start.ts --follow-parent

dev: node_modules/.package-lock.json ## as start, but what is changed is seen at once (pages at PORT + 15)
	@exec node deploy/local/src/start.ts --watch --follow-parent

test: node_modules/.package-lock.json ## check, unit, component and browser tests
	@exec node tests/run.ts

check: node_modules/.package-lock.json ## format, lint, types, directions, dead code
	@exec npm run --silent check

e2e: node_modules/.package-lock.json ## the browser journeys alone
	@exec node tests/run.ts e2e

bench: node_modules/.package-lock.json ## the benchmarks, or one: make bench b=directory
	@exec node tools/bench/run.ts $(b)

seed: node_modules/.package-lock.json ## fills the running product with people: make seed n=100000
	@exec node tools/seed/main.ts $(n)

audit: node_modules/.package-lock.json ## holds the running product against its invariants
	@exec node tools/audit/main.ts

faults: node_modules/.package-lock.json ## life under kill -9 and worse: make faults rounds=5 seed=1 (or at one point: point=all)
	@exec node tools/faults/run.ts "$(rounds)" "$(seed)" "$(point)"

guards: node_modules/.package-lock.json ## takes each guard away in a copy: its tests must fail (or one: make guards g=xsrf)
	@exec node tools/guards/run.ts "$(g)"

stripe-inbox: node_modules/.package-lock.json ## the provider's events that wait: make stripe-inbox, then replay=all or an id
	@exec node deploy/local/src/stripe-inbox.ts "$(replay)"

dead: node_modules/.package-lock.json ## what a service could not handle: make dead s=credits, then replay=all or an id
	@exec node --disable-warning=TimeoutNegativeWarning deploy/local/src/dead.ts "$(s)" "$(replay)"

gallery: node_modules/.package-lock.json ## pictures of every screen, in .local/gallery
	@exec node tools/gallery/main.ts

docs: node_modules/.package-lock.json ## writes the generated pages anew
	@exec npm run --silent docs

logs: ## follows the log of one process: make logs s=credits
	@test -n "$(s)" || { echo "Which process? As in: make logs s=credits" >&2; exit 2; }
	@test -f ".local/logs/$(s).log" || { echo "There is no log of $(s) yet; make start writes it." >&2; exit 2; }
	@exec tail -n 50 -f ".local/logs/$(s).log"

admin: node_modules/.package-lock.json ## makes an admin while all runs: make admin email=a@b.c (asks for the password)
	@exec node deploy/local/src/make-admin.ts "$(email)"

env: node_modules/.package-lock.json ## writes .env for `docker compose --profile app up`
	@exec node deploy/local/src/write-env.ts

reset: node_modules/.package-lock.json ## forgets all local data
	@exec node deploy/local/src/reset.ts

# Written by npm itself, so its time tells whether the packages are those of the lock.
node_modules/.package-lock.json: package-lock.json
	@command -v node >/dev/null && command -v npm >/dev/null || { \
		echo "Node 20 or newer with npm is needed: install it, then say this again." >&2; exit 1; }
	@node -e 'process.exit(parseInt(process.versions.node) >= 20 ? 0 : 1)' || { \
		echo "Node $$(node --version) is too old: Node 20 or newer is needed." >&2; exit 1; }
	@echo "Installing the packages …"
	@npm ci --no-audit --no-fund --loglevel=error
	@touch $@
