/** Where the client keeps its queue and the last entitlements: the memory unless given, the storage of an extension, a file. */
export type Storage = {
  get: (name: string) => Promise<string | null | undefined> | string | null | undefined;
  set: (name: string, value: string) => Promise<void> | void;
};

export const memoryStorage = (): Storage => {
  const values = new Map<string, string>();
  return { get: (name) => values.get(name), set: (name, value) => void values.set(name, value) };
};

/** One value in a storage. */
export type Stored<Value> = { read: () => Promise<Value>; write: (value: Value) => Promise<void> };

/** `name`: one that depends on the user is read each time. */
export const stored = <Value>(
  storage: Storage,
  name: string | (() => Promise<string>),
  initial: Value,
): Stored<Value> => ({
  read: async () => {
    const text = await storage.get(typeof name === 'string' ? name : await name());
    return text === null || text === undefined ? initial : (JSON.parse(text) as Value);
  },
  write: async (value) => storage.set(typeof name === 'string' ? name : await name(), JSON.stringify(value)),
});

type Locks = { request: <Result>(name: string, run: () => Promise<Result>) => Promise<Result> };

export type RunExclusively = <Result>(run: () => Promise<Result>) => Promise<Result>;

/** Runs one function at a time: of this client, and where there are Web Locks, of all contexts that share the name. */
export const exclusively = (name: string | (() => Promise<string>)): RunExclusively => {
  let last: Promise<unknown> = Promise.resolve();
  const { locks } = (globalThis as { navigator?: { locks?: Locks } }).navigator ?? {};
  return (run) => {
    const next = last.then(async () =>
      locks ? locks.request(typeof name === 'string' ? name : await name(), run) : run(),
    );
    last = next.catch(() => undefined);
    return next;
  };
};
