// Written by `make docs` from bff/openapi.json.
export interface paths {
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the user and the key
         * @description The user for whom the app acts, and the scopes of its key.
         *
         *     Scope: `profile:read`
         */
        get: operations["me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/entitlements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what the plan includes
         * @description The plan, its features and its credits. `available` is the sum of `buckets`, which are charged in the order listed: the first to end first, packs last. `limit` and `used` apply to the period of the plan. Send `If-None-Match` with later requests: if nothing has changed, the response is 304 without a body. While this server cannot be reached, a response can be used for as long as its `Cache-Control: stale-if-error` says.
         *
         *     Scope: `credits:read`
         */
        get: operations["entitlements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/charges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List charges
         * @description Charges, returned credits, and credits that were added or taken away (packs, and extra credits from support), newest first. `next` is the `cursor` of the next page.
         *
         *     Scope: `credits:read`
         */
        get: operations["listCharges"];
        put?: never;
        /**
         * Charge credits
         * @description Charges all of the credits or none. `reference` identifies the contact and appears in the history; the length of a URL is measured after percent-decoding. Within thirty days, the same contact and reason cost only the highest amount charged: a higher charge costs the difference, any other nothing.
         *
         *     Scope: `credits:charge`
         */
        post: operations["charge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reservations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reserve credits
         * @description Holds credits for work that may fail. Commit what was used, or release all. After `holdSeconds` (5 minutes by default), the credits are returned automatically.
         *
         *     Scope: `credits:charge`
         */
        post: operations["reserve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reservations/{reservationId}/commit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Commit a reservation
         * @description Charges `amount` of the reserved credits (all by default) and returns the rest. Safe to repeat.
         *
         *     Scope: `credits:charge`
         */
        post: operations["commit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reservations/{reservationId}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release a reservation
         * @description Returns all reserved credits. Safe to repeat.
         *
         *     Scope: `credits:charge`
         */
        post: operations["release"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get usage by day and app
         * @description Covers the last thirty days by default. `from` and `to` are inclusive and can span up to 366 days. Days are in UTC.
         *
         *     Scope: `credits:read`
         */
        get: operations["usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Me: {
            /** Format: uuid */
            id: string;
            email: string;
            firstName: string;
            lastName: string;
            key: {
                /** Format: uuid */
                id: string;
                scopes: ("credits:read" | "credits:charge" | "profile:read")[];
                /** Format: date-time */
                expiresAt: string | null;
            };
        };
        Entitlements: {
            /** @enum {string} */
            plan: "premium" | "free";
            features: ("automation_agent" | "crm" | "browser_extension")[];
            credits: {
                used: number;
                available: number;
                limit: number;
                /** Format: date-time */
                windowStart: string | null;
                /** Format: date-time */
                windowEnd: string | null;
                buckets: {
                    /** @enum {string} */
                    kind: "plan" | "grant" | "pack";
                    available: number;
                    /** Format: date-time */
                    endsAt: string | null;
                }[];
            };
        };
        Charge: {
            used: number;
            available: number;
            limit: number;
            charged: number;
        };
        ChargeHistory: {
            data: {
                id: string;
                /** @description Negative for credits that were charged or taken away. */
                amount: number;
                /** @description For a charge: `message_composed`, `email_found`; for returned credits: `released`, `expired`, `already_paid`, `unused`; for credits that were added or taken away: `pack_bought`, `pack_withdrawn`, `pack_restored`, `credits_granted`, `credits_revoked`, `plan_withdrawn`, `plan_restored`. More may be added. */
                reason: string;
                reference: string | null;
                /** @description The API key or the connection of the app. Null for the browser, and for credits that were added or taken away. */
                clientId: string | null;
                /** Format: date-time */
                createdAt: string;
            }[];
            next: string | null;
        };
        Reservation: {
            used: number;
            available: number;
            limit: number;
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            state: "held" | "committed" | "released";
            amount: number;
            /** Format: date-time */
            expiresAt: string;
        };
        Balance: {
            used: number;
            available: number;
            limit: number;
        };
        Usage: {
            data: {
                day: string;
                clientId: string | null;
                /** @enum {string} */
                reason: "message_composed" | "email_found";
                charged: number;
                returned: number;
            }[];
        };
        /** @description An error. Source: RFC 9457. */
        Problem: {
            /**
             * Format: uri-reference
             * @description Where this reference explains the code.
             */
            type: string;
            title: string;
            status: number;
            detail?: string;
            /** @description Never changes its meaning. */
            code: string;
            /** @description Give it to support. */
            requestId: string;
            errors?: {
                field: string;
                detail: string;
            }[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The requests left, and the seconds until the limit resets. */
        RateLimit: string;
        /** @description The minimum number of seconds to wait. */
        RetryAfter: string;
        /** @description Requests in 60 seconds. */
        RateLimitPolicy: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /**
             * @description [`request.invalid`](#request.invalid): The input is not valid. See errors.
             *
             *     [`request.malformed`](#request.malformed): The request could not be read.
             *
             *     [`request.too_many_parameters`](#request.too_many_parameters): The address has more than 50 parameters. Send fewer.
             *
             *     [`client.key_in_address`](#client.key_in_address): Send the API key in the Authorization header. A key in an address ends up in logs, so delete this one and create a new one.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`client.key_missing`](#client.key_missing): Send an API key in the header: Authorization: Bearer sl_live_…
             *
             *     [`client.key_refused`](#client.key_refused): This API key is unknown, expired or deleted.
             *
             *     [`client.token_refused`](#client.token_refused): This access token has expired or was revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`client.scope_missing`](#client.scope_missing): This key does not have permission to do that. Create one that does.
             *
             *     [`client.restricted`](#client.restricted): The account that this key belongs to is about to be deleted.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`profile.not_found`](#profile.not_found): This user was not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`profile.deleted`](#profile.deleted): This user was not found. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`request.too_large`](#request.too_large): The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`request.unsupported_type`](#request.unsupported_type): This type of content is not supported here.
             *
             *     [`request.unsupported_charset`](#request.unsupported_charset): Send text as UTF-8. Other character sets are not supported.
             */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`request.rate_limited`](#request.rate_limited): Too many attempts. Please wait a moment and try again. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`service.failed`](#service.failed): Something went wrong on our side. Nothing was lost. Please try again in a moment. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`service.unavailable`](#service.unavailable): Part of the service is unavailable right now. Nothing was lost. Please try again in a moment.
             *
             *     [`session.unavailable`](#session.unavailable): We could not check your session. Please try again in a moment.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`service.timeout`](#service.timeout): Part of the service took too long to respond. Please try again in a moment. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    entitlements: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the response that the client has. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description Changes with the response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Entitlements"];
                };
            };
            /** @description Unchanged since the response with this ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description [`request.invalid`](#request.invalid): The input is not valid. See errors.
             *
             *     [`request.malformed`](#request.malformed): The request could not be read.
             *
             *     [`request.too_many_parameters`](#request.too_many_parameters): The address has more than 50 parameters. Send fewer.
             *
             *     [`client.key_in_address`](#client.key_in_address): Send the API key in the Authorization header. A key in an address ends up in logs, so delete this one and create a new one.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`client.key_missing`](#client.key_missing): Send an API key in the header: Authorization: Bearer sl_live_…
             *
             *     [`client.key_refused`](#client.key_refused): This API key is unknown, expired or deleted.
             *
             *     [`client.token_refused`](#client.token_refused): This access token has expired or was revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`client.scope_missing`](#client.scope_missing): This key does not have permission to do that. Create one that does.
             *
             *     [`client.restricted`](#client.restricted): The account that this key belongs to is about to be deleted.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`credits.user_not_found`](#credits.user_not_found): This user was not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`request.too_large`](#request.too_large): The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`request.unsupported_type`](#request.unsupported_type): This type of content is not supported here.
             *
             *     [`request.unsupported_charset`](#request.unsupported_charset): Send text as UTF-8. Other character sets are not supported.
             */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`request.rate_limited`](#request.rate_limited): Too many attempts. Please wait a moment and try again. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`service.failed`](#service.failed): Something went wrong on our side. Nothing was lost. Please try again in a moment. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`service.unavailable`](#service.unavailable): Part of the service is unavailable right now. Nothing was lost. Please try again in a moment.
             *
             *     [`session.unavailable`](#session.unavailable): We could not check your session. Please try again in a moment.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`service.timeout`](#service.timeout): Part of the service took too long to respond. Please try again in a moment. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listCharges: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                reason?: "message_composed" | "email_found";
                client?: string;
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChargeHistory"];
                };
            };
            /**
             * @description [`request.invalid`](#request.invalid): The input is not valid. See errors.
             *
             *     [`request.malformed`](#request.malformed): The request could not be read.
             *
             *     [`request.too_many_parameters`](#request.too_many_parameters): The address has more than 50 parameters. Send fewer.
             *
             *     [`client.key_in_address`](#client.key_in_address): Send the API key in the Authorization header. A key in an address ends up in logs, so delete this one and create a new one.
             *
             *     [`request.stale_cursor`](#request.stale_cursor): That page of the list is no longer available.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`client.key_missing`](#client.key_missing): Send an API key in the header: Authorization: Bearer sl_live_…
             *
             *     [`client.key_refused`](#client.key_refused): This API key is unknown, expired or deleted.
             *
             *     [`client.token_refused`](#client.token_refused): This access token has expired or was revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`client.scope_missing`](#client.scope_missing): This key does not have permission to do that. Create one that does.
             *
             *     [`client.restricted`](#client.restricted): The account that this key belongs to is about to be deleted.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`request.too_large`](#request.too_large): The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`request.unsupported_type`](#request.unsupported_type): This type of content is not supported here.
             *
             *     [`request.unsupported_charset`](#request.unsupported_charset): Send text as UTF-8. Other character sets are not supported.
             */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`request.rate_limited`](#request.rate_limited): Too many attempts. Please wait a moment and try again. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`service.failed`](#service.failed): Something went wrong on our side. Nothing was lost. Please try again in a moment. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`service.unavailable`](#service.unavailable): Part of the service is unavailable right now. Nothing was lost. Please try again in a moment.
             *
             *     [`session.unavailable`](#session.unavailable): We could not check your session. Please try again in a moment.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`service.timeout`](#service.timeout): Part of the service took too long to respond. Please try again in a moment. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    charge: {
        parameters: {
            query?: never;
            header: {
                /** @description Chosen by the client, one for each operation of the user. Use a UUID, because all apps of a user share the keys. A repeated request returns the first response and charges nothing, whichever app sends it; with different content it is refused. Keys never expire. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    amount?: number;
                    /** @enum {string} */
                    reason: "message_composed" | "email_found";
                    reference?: string;
                };
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Charge"];
                };
            };
            /**
             * @description [`request.invalid`](#request.invalid): The input is not valid. See errors.
             *
             *     [`request.malformed`](#request.malformed): The request could not be read.
             *
             *     [`request.too_many_parameters`](#request.too_many_parameters): The address has more than 50 parameters. Send fewer.
             *
             *     [`client.key_in_address`](#client.key_in_address): Send the API key in the Authorization header. A key in an address ends up in logs, so delete this one and create a new one.
             *
             *     [`credits.idempotency_key_missing`](#credits.idempotency_key_missing): Send an Idempotency-Key header of 1 to 100 visible characters.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`client.key_missing`](#client.key_missing): Send an API key in the header: Authorization: Bearer sl_live_…
             *
             *     [`client.key_refused`](#client.key_refused): This API key is unknown, expired or deleted.
             *
             *     [`client.token_refused`](#client.token_refused): This access token has expired or was revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`credits.balance_too_low`](#credits.balance_too_low): You have used all your credits. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`client.scope_missing`](#client.scope_missing): This key does not have permission to do that. Create one that does.
             *
             *     [`client.restricted`](#client.restricted): The account that this key belongs to is about to be deleted.
             *
             *     [`client.origin_refused`](#client.origin_refused): Pages on other sites can read with a key, but cannot charge. Charge from your server or a browser extension.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`credits.user_not_found`](#credits.user_not_found): This user was not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`credits.key_reused`](#credits.key_reused): This Idempotency-Key was already used for a different request. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`request.too_large`](#request.too_large): The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`request.unsupported_type`](#request.unsupported_type): This type of content is not supported here.
             *
             *     [`request.unsupported_charset`](#request.unsupported_charset): Send text as UTF-8. Other character sets are not supported.
             */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`request.rate_limited`](#request.rate_limited): Too many attempts. Please wait a moment and try again.
             *
             *     [`credits.daily_limit`](#credits.daily_limit): You have reached today’s limit of reservations, or of charges for contacts already paid for. It resets at midnight UTC.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`service.failed`](#service.failed): Something went wrong on our side. Nothing was lost. Please try again in a moment. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`service.unavailable`](#service.unavailable): Part of the service is unavailable right now. Nothing was lost. Please try again in a moment.
             *
             *     [`session.unavailable`](#session.unavailable): We could not check your session. Please try again in a moment.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`service.timeout`](#service.timeout): Part of the service took too long to respond. Please try again in a moment. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reserve: {
        parameters: {
            query?: never;
            header: {
                /** @description Chosen by the client, one for each operation of the user. Use a UUID, because all apps of a user share the keys. A repeated request returns the first response and charges nothing, whichever app sends it; with different content it is refused. Keys never expire. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    amount?: number;
                    /** @enum {string} */
                    reason: "message_composed" | "email_found";
                    reference?: string;
                    holdSeconds?: number;
                };
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reservation"];
                };
            };
            /**
             * @description [`request.invalid`](#request.invalid): The input is not valid. See errors.
             *
             *     [`request.malformed`](#request.malformed): The request could not be read.
             *
             *     [`request.too_many_parameters`](#request.too_many_parameters): The address has more than 50 parameters. Send fewer.
             *
             *     [`client.key_in_address`](#client.key_in_address): Send the API key in the Authorization header. A key in an address ends up in logs, so delete this one and create a new one.
             *
             *     [`credits.idempotency_key_missing`](#credits.idempotency_key_missing): Send an Idempotency-Key header of 1 to 100 visible characters.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`client.key_missing`](#client.key_missing): Send an API key in the header: Authorization: Bearer sl_live_…
             *
             *     [`client.key_refused`](#client.key_refused): This API key is unknown, expired or deleted.
             *
             *     [`client.token_refused`](#client.token_refused): This access token has expired or was revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`credits.balance_too_low`](#credits.balance_too_low): You have used all your credits. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`client.scope_missing`](#client.scope_missing): This key does not have permission to do that. Create one that does.
             *
             *     [`client.restricted`](#client.restricted): The account that this key belongs to is about to be deleted.
             *
             *     [`client.origin_refused`](#client.origin_refused): Pages on other sites can read with a key, but cannot charge. Charge from your server or a browser extension.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`credits.user_not_found`](#credits.user_not_found): This user was not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`credits.key_reused`](#credits.key_reused): This Idempotency-Key was already used for a different request. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`request.too_large`](#request.too_large): The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`request.unsupported_type`](#request.unsupported_type): This type of content is not supported here.
             *
             *     [`request.unsupported_charset`](#request.unsupported_charset): Send text as UTF-8. Other character sets are not supported.
             */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`request.rate_limited`](#request.rate_limited): Too many attempts. Please wait a moment and try again.
             *
             *     [`credits.daily_limit`](#credits.daily_limit): You have reached today’s limit of reservations, or of charges for contacts already paid for. It resets at midnight UTC.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`service.failed`](#service.failed): Something went wrong on our side. Nothing was lost. Please try again in a moment. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`service.unavailable`](#service.unavailable): Part of the service is unavailable right now. Nothing was lost. Please try again in a moment.
             *
             *     [`session.unavailable`](#session.unavailable): We could not check your session. Please try again in a moment.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`service.timeout`](#service.timeout): Part of the service took too long to respond. Please try again in a moment. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    commit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                reservationId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    amount?: number;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Charge"];
                };
            };
            /**
             * @description [`request.invalid`](#request.invalid): The input is not valid. See errors.
             *
             *     [`request.malformed`](#request.malformed): The request could not be read.
             *
             *     [`request.too_many_parameters`](#request.too_many_parameters): The address has more than 50 parameters. Send fewer.
             *
             *     [`client.key_in_address`](#client.key_in_address): Send the API key in the Authorization header. A key in an address ends up in logs, so delete this one and create a new one.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`client.key_missing`](#client.key_missing): Send an API key in the header: Authorization: Bearer sl_live_…
             *
             *     [`client.key_refused`](#client.key_refused): This API key is unknown, expired or deleted.
             *
             *     [`client.token_refused`](#client.token_refused): This access token has expired or was revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`client.scope_missing`](#client.scope_missing): This key does not have permission to do that. Create one that does.
             *
             *     [`client.restricted`](#client.restricted): The account that this key belongs to is about to be deleted.
             *
             *     [`client.origin_refused`](#client.origin_refused): Pages on other sites can read with a key, but cannot charge. Charge from your server or a browser extension.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`credits.reservation_not_found`](#credits.reservation_not_found): This reservation was not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`credits.reservation_ended`](#credits.reservation_ended): This reservation is already settled. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`request.too_large`](#request.too_large): The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`request.unsupported_type`](#request.unsupported_type): This type of content is not supported here.
             *
             *     [`request.unsupported_charset`](#request.unsupported_charset): Send text as UTF-8. Other character sets are not supported.
             */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`request.rate_limited`](#request.rate_limited): Too many attempts. Please wait a moment and try again. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`service.failed`](#service.failed): Something went wrong on our side. Nothing was lost. Please try again in a moment. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`service.unavailable`](#service.unavailable): Part of the service is unavailable right now. Nothing was lost. Please try again in a moment.
             *
             *     [`session.unavailable`](#session.unavailable): We could not check your session. Please try again in a moment.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`service.timeout`](#service.timeout): Part of the service took too long to respond. Please try again in a moment. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    release: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                reservationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Balance"];
                };
            };
            /**
             * @description [`request.invalid`](#request.invalid): The input is not valid. See errors.
             *
             *     [`request.malformed`](#request.malformed): The request could not be read.
             *
             *     [`request.too_many_parameters`](#request.too_many_parameters): The address has more than 50 parameters. Send fewer.
             *
             *     [`client.key_in_address`](#client.key_in_address): Send the API key in the Authorization header. A key in an address ends up in logs, so delete this one and create a new one.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`client.key_missing`](#client.key_missing): Send an API key in the header: Authorization: Bearer sl_live_…
             *
             *     [`client.key_refused`](#client.key_refused): This API key is unknown, expired or deleted.
             *
             *     [`client.token_refused`](#client.token_refused): This access token has expired or was revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`client.scope_missing`](#client.scope_missing): This key does not have permission to do that. Create one that does.
             *
             *     [`client.restricted`](#client.restricted): The account that this key belongs to is about to be deleted.
             *
             *     [`client.origin_refused`](#client.origin_refused): Pages on other sites can read with a key, but cannot charge. Charge from your server or a browser extension.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`credits.reservation_not_found`](#credits.reservation_not_found): This reservation was not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`credits.reservation_ended`](#credits.reservation_ended): This reservation is already settled. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`request.too_large`](#request.too_large): The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`request.unsupported_type`](#request.unsupported_type): This type of content is not supported here.
             *
             *     [`request.unsupported_charset`](#request.unsupported_charset): Send text as UTF-8. Other character sets are not supported.
             */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`request.rate_limited`](#request.rate_limited): Too many attempts. Please wait a moment and try again. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`service.failed`](#service.failed): Something went wrong on our side. Nothing was lost. Please try again in a moment. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`service.unavailable`](#service.unavailable): Part of the service is unavailable right now. Nothing was lost. Please try again in a moment.
             *
             *     [`session.unavailable`](#session.unavailable): We could not check your session. Please try again in a moment.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`service.timeout`](#service.timeout): Part of the service took too long to respond. Please try again in a moment. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    usage: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            /**
             * @description [`request.invalid`](#request.invalid): The input is not valid. See errors.
             *
             *     [`request.malformed`](#request.malformed): The request could not be read.
             *
             *     [`request.too_many_parameters`](#request.too_many_parameters): The address has more than 50 parameters. Send fewer.
             *
             *     [`client.key_in_address`](#client.key_in_address): Send the API key in the Authorization header. A key in an address ends up in logs, so delete this one and create a new one.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`client.key_missing`](#client.key_missing): Send an API key in the header: Authorization: Bearer sl_live_…
             *
             *     [`client.key_refused`](#client.key_refused): This API key is unknown, expired or deleted.
             *
             *     [`client.token_refused`](#client.token_refused): This access token has expired or was revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`client.scope_missing`](#client.scope_missing): This key does not have permission to do that. Create one that does.
             *
             *     [`client.restricted`](#client.restricted): The account that this key belongs to is about to be deleted.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`request.too_large`](#request.too_large): The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`request.unsupported_type`](#request.unsupported_type): This type of content is not supported here.
             *
             *     [`request.unsupported_charset`](#request.unsupported_charset): Send text as UTF-8. Other character sets are not supported.
             */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`request.rate_limited`](#request.rate_limited): Too many attempts. Please wait a moment and try again. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`service.failed`](#service.failed): Something went wrong on our side. Nothing was lost. Please try again in a moment. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description [`service.unavailable`](#service.unavailable): Part of the service is unavailable right now. Nothing was lost. Please try again in a moment.
             *
             *     [`session.unavailable`](#session.unavailable): We could not check your session. Please try again in a moment.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description [`service.timeout`](#service.timeout): Part of the service took too long to respond. Please try again in a moment. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
