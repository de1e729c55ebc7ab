export type FormObject = {
  [key: string]: FormValue;
};

type FormValue = string | FormValue[] | FormObject;

const MAX_DEPTH = 10;

const parseKey = (key: string): string[] => {
  const bracket = key.indexOf('[');
  if (bracket < 1) return [key];
  const inner = [...key.slice(bracket).matchAll(/\[([^\]]*)\]/g)].map((match) => match[1] ?? '');
  return [key.slice(0, bracket), ...inner];
};

// Objects have no prototype, so `__proto__` is an ordinary key, which validation rejects as unknown.
const setAtPath = (node: FormObject, path: string[], value: string): void => {
  const [first = '', ...rest] = path;
  const key = first === '' ? String(Object.keys(node).length) : first;
  if (rest.length === 0) {
    node[key] = value;
    return;
  }
  const child = node[key];
  const next: FormObject =
    typeof child === 'object' && !Array.isArray(child) ? child : (Object.create(null) as FormObject);
  node[key] = next;
  setAtPath(next, rest, value);
};

const convertLists = (node: FormValue): FormValue => {
  if (typeof node === 'string' || Array.isArray(node)) return node;
  const keys = Object.keys(node);
  const isList = keys.length > 0 && keys.every((key) => /^\d{1,4}$/.test(key));
  if (isList) return keys.map((key) => convertLists(node[key] ?? ''));
  for (const key of keys) node[key] = convertLists(node[key] ?? '');
  return node;
};

/** Decodes Stripe's form encoding: `a=1`, `a[b]=1`, `a[0][c]=1`, `a[]=1`. */
export const decodeForm = (text: string): FormObject => {
  const root: FormObject = Object.create(null) as FormObject;
  for (const [key, value] of new URLSearchParams(text)) {
    const path = parseKey(key);
    if (path.length <= MAX_DEPTH) setAtPath(root, path, value);
  }
  return convertLists(root) as FormObject;
};
