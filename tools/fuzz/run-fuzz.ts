import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { PublicEndpoint } from '@shortlist/contracts/api/operation';
import type { System } from '@shortlist/local/system';
import { logInAdmin, register } from '../../harness/client.ts';
import { type FuzzRequest, generateRequests } from './requests.ts';
import { type FuzzResponse, type Identity, sendRequest } from './send.ts';
import { visitEndpoints } from './visit.ts';

export type FuzzReport = {
  /** Responses by status; `none` counts connections that ended without one. */
  statuses: Record<string, number>;
  problems: string[];
};

const PROCESSES = ['identity', 'profile', 'billing', 'credits', 'worker', 'bff'] as const;
/** Requests of one user and one admin: some of them end a session or delete the user. */
const BATCH = 100;
const CONCURRENT = 8;
/** Overload that the product reports by name. */
const NAMED_OVERLOADS = new Set(['identity.busy', 'profile.pictures_busy', 'billing.busy']);

const newIdentity = async (system: System): Promise<Identity> => {
  const user = await register(system);
  const admin = await logInAdmin(system);
  return {
    userId: user.id,
    tokens: { anonymous: null, user: user.token, admin, stolen: `${user.token.slice(0, -1)}~` },
  };
};

const codeOf = (body: string): string | null => {
  try {
    return (JSON.parse(body) as { error: { code: string } }).error.code;
  } catch {
    return null;
  }
};

const ENDPOINTS = publicEndpoints as Partial<Record<string, PublicEndpoint<never, unknown>>>;

/** What the endpoint's schema refuses of a successful reply, or null; null, too, for a reply of another endpoint or of a page. */
const problemOfReply = ({ endpoint, method, changes }: FuzzRequest, body: string): string | null => {
  const declared = ENDPOINTS[endpoint];
  if (declared?.method !== method || changes.length > 0 || !body.startsWith('{')) return null;
  const { error } = declared.replySchema?.validate(JSON.parse(body), { convert: false }) ?? {};
  return error === undefined ? null : `${endpoint} replied what its schema refuses: ${error.message}`;
};

const problemOfFailure = (request: FuzzRequest, { status, body }: FuzzResponse): string | null => {
  const code = codeOf(body);
  return status === 503 && NAMED_OVERLOADS.has(code ?? '')
    ? null
    : `${status} ${code ?? body} to ${JSON.stringify(request)}`;
};

/** What is wrong with a response, or null. */
const problemOf = (request: FuzzRequest, response: FuzzResponse): string | null => {
  const { status, body } = response;
  if (status === null) return request.changes.length > 0 ? null : `no response to ${JSON.stringify(request)}`;
  if (status < 300) return problemOfReply(request, body);
  return status < 500 ? null : problemOfFailure(request, response);
};

/** Whether every process that ran before still runs, and none has logged a fatal error. */
const processProblems = (system: System, before: readonly number[]): string[] =>
  PROCESSES.flatMap((name, index) => {
    const { pid, hasEnded, logs } = system.process(name);
    return [
      ...(pid === before[index] && !hasEnded() ? [] : [`${name} has ended`]),
      ...(logs().includes('"level":"fatal"') ? [`${name} has logged a fatal error`] : []),
    ];
  });

const runBatch = async (
  system: System,
  requests: readonly FuzzRequest[],
  report: FuzzReport,
): Promise<void> => {
  const identity = await newIdentity(system);
  const port = Number(new URL(system.urls.bff).port);
  const queue = [...requests];
  const work = async (): Promise<void> => {
    for (let request = queue.shift(); request !== undefined; request = queue.shift()) {
      const response = await sendRequest(request, identity, port);
      const status = String(response.status ?? 'none');
      report.statuses[status] = (report.statuses[status] ?? 0) + 1;
      const problem = problemOf(request, response);
      if (problem !== null) report.problems.push(problem);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, work));
};

/**
 * Calls every endpoint with success, then sends `count` requests that are generated from what it sent. Throws when an endpoint did not
 * succeed.
 */
export const runFuzz = async (
  system: System,
  { seed, count, print = () => undefined }: { seed: number; count: number; print?: (line: string) => void },
): Promise<FuzzReport> => {
  const report: FuzzReport = { statuses: {}, problems: [] };
  const before = PROCESSES.map((name) => system.process(name).pid);
  const samples = await visitEndpoints(system);
  for (let sent = 0; sent < count; sent += BATCH) {
    const batch = { seed: seed + sent, count: Math.min(BATCH, count - sent) };
    await runBatch(system, generateRequests(samples, batch), report);
    if ((sent / BATCH) % 50 === 49)
      print(
        `${sent + BATCH} requests, ${report.problems.length} problems, ${JSON.stringify(report.statuses)}`,
      );
  }
  report.problems.push(...processProblems(system, before));
  return report;
};
