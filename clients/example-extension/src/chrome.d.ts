// What this extension uses of Chrome's interface. A larger one takes the types of the package @types/chrome.
type Listener<Event> = { addListener: (listener: (event: Event) => void) => void };

declare const chrome: {
  alarms: {
    get: (name: string) => Promise<object | undefined>;
    /** `when`: in milliseconds. */
    create: (name: string, at: { when: number; periodInMinutes: number }) => Promise<void>;
    clear: (name: string) => Promise<boolean>;
    clearAll: () => Promise<boolean>;
    onAlarm: Listener<{ name: string }>;
  };
  identity: {
    getRedirectURL: () => string;
    /** Rejects when the user closes the window. */
    launchWebAuthFlow: (flow: { url: string; interactive: boolean }) => Promise<string | undefined>;
  };
  runtime: {
    /** The browser has started. */
    onStartup: Listener<void>;
    sendMessage: <Response>(message: unknown) => Promise<Response>;
    onMessage: {
      /** A listener that returns true responds later. */
      addListener: <Message>(
        listener: (message: Message, sender: unknown, respond: (response: unknown) => void) => true,
      ) => void;
    };
  };
  storage: {
    local: {
      get: <Value>(name: string | null) => Promise<Record<string, Value>>;
      set: (values: Record<string, unknown>) => Promise<void>;
      remove: (name: string) => Promise<void>;
      clear: () => Promise<void>;
      setAccessLevel: (level: { accessLevel: 'TRUSTED_CONTEXTS' }) => Promise<void>;
    };
  };
};
