/** The path of an endpoint with `id` for each id in it; the id of an alert has a form of its own. */
export const examplePath = ({ path }: { path: string }, id: string): string =>
  path.replace(/:(\w+)/g, (_parameter, name: string) =>
    encodeURIComponent(name === 'alertId' ? 'dispute_opened:du_1' : id),
  );
