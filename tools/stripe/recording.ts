import { Stripe } from 'stripe';
import { createNeutral } from './neutral.ts';
import { type Actions, createClient, NotPossible, type Provider, type World } from './world.ts';

type Call = {
  call: string;
  request: unknown;
  status?: number;
  reply?: unknown;
};

/** All that a scenario saw of Stripe, with neutral ids and times. */
export type Recording = {
  scenario: string;
  /** Why this Stripe cannot run the scenario, or what went wrong in it. */
  notPossible?: string;
  failed?: string;
  calls: Call[];
  /** In the order of their times. Events of one second come in any order, so each type is by itself. */
  events: Record<string, unknown[]>;
};

export type Scenario = (world: Actions & { stripe: Stripe }) => Promise<unknown>;

const paramsOf = (text: string | undefined): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text));

/** A client whose calls are added to `calls`. */
const createRecordingClient = (provider: Provider, calls: Call[]): Stripe => {
  const http = Stripe.createNodeHttpClient();
  const send = http.makeRequest.bind(http);
  http.makeRequest = async (...request) => {
    const [, , url, method, , body] = request;
    const [path = '', query] = url.split('?');
    const response = await send(...request);
    const read = response.toJSON.bind(response);
    response.toJSON = async () => {
      const reply = (await read()) as object;
      calls.push({
        call: `${method} ${path}`,
        request: paramsOf(query ?? body),
        status: response.getStatusCode(),
        // The client parses decimals of its copy.
        reply: structuredClone(reply),
      });
      return reply;
    };
    return response;
  };
  return createClient(provider.access, http);
};

/** The actions, each of which adds its name and arguments to `calls`; `customers` learns whom they made. */
const recordActions = (actions: Actions, calls: Call[], customers: string[]): Actions => {
  const note =
    (name: string, act: (...args: never[]) => Promise<unknown>) =>
    async (...args: never[]) => {
      calls.push({ call: `world ${name}`, request: args });
      const result = await act(...args);
      if (name === 'addCustomer') customers.push(String(result));
      if (name === 'subscribe') customers.push((result as { customer: string }).customer);
      return result;
    };
  const entries = Object.entries(actions).map(([name, act]) => [name, note(name, act)]);
  return Object.fromEntries(entries) as Actions; // Same keys, and each keeps its arguments and result.
};

/** Reads what the scenario left, which is recorded like any call. */
const readAll = async (stripe: Stripe, customer: string): Promise<void> => {
  await stripe.customers.retrieve(customer);
  await stripe.subscriptions.list({ customer, status: 'all' });
  await stripe.invoices.list({ customer, expand: ['data.payments'] });
  await stripe.paymentIntents.list({ customer });
  const expand = ['data.balance_transaction', 'data.refunds'];
  const { data: charges } = await stripe.charges.list({ customer, expand });
  for (const { id, disputed } of charges) if (disputed) await stripe.disputes.list({ charge: id });
};

/** Stripe's events since `newest`, oldest first. */
const listEvents = async (stripe: Stripe, newest: string | undefined): Promise<Stripe.Event[]> => {
  const events: Stripe.Event[] = [];
  for await (const event of stripe.events.list({ limit: 100 })) {
    if (event.id === newest) break;
    // As Stripe sent it: the client parses decimals.
    events.unshift(JSON.parse(JSON.stringify(event)) as Stripe.Event);
  }
  return events;
};

/** Of the account's set-up, not of a customer. */
const SETUP = /^(coupon|plan|price|product|test_helpers)\./;

type Subject = { id?: string; customer?: string };

type Played = Pick<Recording, 'notPossible' | 'failed' | 'calls'>;

const neutralOf = (
  startedAt: number,
  played: Played,
  events: Stripe.Event[],
): Omit<Recording, 'scenario'> => {
  const { neutral, isKnown } = createNeutral(startedAt);
  const neutralPlayed = neutral(played) as Played; // It keeps keys.
  const own = events.filter(({ type, data }) => {
    const { id, customer } = data.object as Subject;
    return !SETUP.test(type) && isKnown(id ?? customer);
  });
  const byType = Object.entries(Object.groupBy(own, ({ type }) => type)).toSorted(([one], [other]) =>
    one.localeCompare(other, 'en'),
  );
  const neutralEvents = byType.map(([type, all = []]) => [
    type,
    all.map(({ api_version, created, data }) => neutral({ api_version, created, data })),
  ]);
  return { ...neutralPlayed, events: Object.fromEntries(neutralEvents) as Recording['events'] };
};

const problemOf = (error: unknown): Omit<Played, 'calls'> => {
  if (error instanceof NotPossible) return { notPossible: error.message };
  return { failed: error instanceof Error ? error.message : String(error) };
};

const play = async (
  world: World,
  run: Scenario,
  { stripe, calls }: { stripe: Stripe; calls: Call[] },
): Promise<Omit<Played, 'calls'>> => {
  const customers: string[] = [];
  try {
    await run({ ...recordActions(world.actions, calls, customers), stripe });
    await world.actions.settle();
    for (const customer of customers) await readAll(stripe, customer);
    return {};
  } catch (error) {
    return problemOf(error);
  }
};

/** Runs one scenario. `raw` is what Stripe replied, before ids and times were made neutral. */
export const record = async (
  provider: Provider,
  scenario: string,
  run: Scenario,
): Promise<{ recording: Recording; raw: unknown[] }> => {
  const plain = createClient(provider.access);
  const calls: Call[] = [];
  const world = await provider.open();
  try {
    const { data } = await plain.events.list({ limit: 1 });
    const problem = await play(world, run, { stripe: createRecordingClient(provider, calls), calls });
    const events = await listEvents(plain, data[0]?.id);
    const recording = { scenario, ...neutralOf(world.startedAt, { ...problem, calls }, events) };
    const raw = [
      ...calls.flatMap(({ reply }) => reply ?? []),
      ...events.map(({ data: { object } }) => object),
    ];
    return { recording, raw };
  } finally {
    await world.close();
  }
};
