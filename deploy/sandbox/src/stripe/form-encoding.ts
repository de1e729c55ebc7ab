export type FormObject = {
  [key: string]: FormValue;
};

type FormValue = string | FormValue[] | FormObject;

const MAX_DEPTH = 10;

const pathOf = (key: string): string[] => {
  const open = key.indexOf('[');
  if (open < 1) return [key];
  const inner = [...key.slice(open).matchAll(/\[([^\]]*)\]/g)].map((match) => match[1] ?? '');
  return [key.slice(0, open), ...inner];
};

// Objects have no prototype here: a key such as __proto__ is then a key like any other, and refused as unknown.
const put = (node: FormObject, path: string[], value: string): void => {
  const [first = '', ...rest] = path;
  const key = first === '' ? String(Object.keys(node).length) : first;
  if (rest.length === 0) {
    node[key] = value;
    return;
  }
  const below = node[key];
  const next: FormObject =
    typeof below === 'object' && !Array.isArray(below) ? below : (Object.create(null) as FormObject);
  node[key] = next;
  put(next, rest, value);
};

const withLists = (node: FormValue): FormValue => {
  if (typeof node === 'string' || Array.isArray(node)) return node;
  const keys = Object.keys(node);
  const isList = keys.length > 0 && keys.every((key) => /^\d{1,4}$/.test(key));
  if (isList) return keys.map((key) => withLists(node[key] ?? ''));
  for (const key of keys) node[key] = withLists(node[key] ?? '');
  return node;
};

/** Stripe's form encoding: `a=1`, `a[b]=1`, `a[0][c]=1`, `a[]=1`. */
export const decodeForm = (text: string): FormObject => {
  const root: FormObject = Object.create(null) as FormObject;
  for (const [key, value] of new URLSearchParams(text)) {
    const path = pathOf(key);
    if (path.length <= MAX_DEPTH) put(root, path, value);
  }
  return withLists(root) as FormObject;
};
