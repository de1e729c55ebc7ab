import type { FieldMessages } from '@shortlist/contracts/errors';
import { useCallback, useRef, useState, type FormEvent } from 'react';

export type Values = Record<string, string>;
/** The message of each refused field. */
export type Rules<V extends Values> = (values: V) => FieldMessages;

type Settings<V extends Values> = {
  initial: V;
  /** Brings the rules, and Joi with them, once somebody turns to the form. Must be the same function at each render. */
  loadRules: () => Promise<Rules<V>>;
};

const focusFirstInvalid = (form: HTMLFormElement): void => {
  // The marks of a submit that was just refused are painted first.
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
};

/** The rules once they are there. What fails to load is asked for again by the next one who needs it. */
const useRules = <V extends Values>(loadRules: () => Promise<Rules<V>>) => {
  const [rules, setRules] = useState<Rules<V> | null>(null);
  const load = useCallback(async (): Promise<Rules<V>> => {
    const loaded = await loadRules();
    setRules(() => loaded);
    return loaded;
  }, [loadRules]);
  const warm = useCallback((): void => {
    load().catch(() => undefined);
  }, [load]);
  return { rules, load, warm };
};

/** What has been typed, which fields were touched, and what the server said about them. */
const useEntries = <V extends Values>(initial: V) => {
  const [values, setValues] = useState(initial);
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  const [fromServer, setFromServer] = useState<FieldMessages>({});
  const latest = useRef(values);

  const touch = useCallback((name: string): void => setShown((names) => new Set(names).add(name)), []);
  const touchAll = useCallback((): void => setShown(new Set(Object.keys(latest.current))), []);
  const set = useCallback(
    (name: string, value: string): void => {
      latest.current = { ...latest.current, [name]: value };
      setValues(latest.current);
      touch(name);
      setFromServer(({ [name]: _gone, ...rest }) => rest);
    },
    [touch],
  );
  const refuse = useCallback((fields: FieldMessages): void => {
    const known = Object.entries(fields).filter(([name]) => name in latest.current);
    setFromServer((before) => ({ ...before, ...Object.fromEntries(known) }));
  }, []);
  return { values, shown, fromServer, latest, touch, touchAll, set, refuse };
};

/**
 * A form's values and what may be said about them: a field's message is shown once it was touched or changed, or the
 * form was submitted. A server's message about a field stays until that field is changed.
 */
export const useForm = <V extends Values>({ initial, loadRules }: Settings<V>) => {
  const { rules, load, warm } = useRules(loadRules);
  const { values, shown, fromServer, latest, touch, touchAll, set, refuse } = useEntries(initial);
  const invalid: FieldMessages = rules === null ? {} : rules(values);
  const errorOf = (name: string): string | undefined =>
    fromServer[name] ?? (shown.has(name) ? invalid[name] : undefined);

  /** Marks every field; when all are valid, hands the values on. Resolves to whether it did. */
  const submit = async (event: FormEvent<HTMLFormElement>, accept: (valid: V) => void): Promise<boolean> => {
    event.preventDefault();
    const form = event.currentTarget;
    const found = (await load())(latest.current);
    touchAll();
    if (Object.keys({ ...found, ...fromServer }).length > 0) {
      focusFirstInvalid(form);
      return false;
    }
    accept(latest.current);
    return true;
  };

  const input = (name: keyof V & string) => ({
    name,
    value: values[name] ?? '',
    error: errorOf(name),
    onChange: (event: { target: { value: string } }) => set(name, event.target.value),
    onBlur: () => touch(name),
  });

  return { values, invalid, set, touch, refuse, errorOf, input, submit, warm };
};
