import type { FieldMessages } from '@shortlist/contracts/errors';
import { useCallback, useEffect, useRef, useState, type FormEvent } from 'react';
import { bringIntoView } from './bring-into-view.ts';
import { useRules, type Rules, type Values } from './use-rules.ts';

export type { Rules, Values };

type Settings<V extends Values> = {
  initial: V;
  /** Brings the rules, and Joi with them, once somebody turns to the form. Must be the same function at each render. */
  loadRules: () => Promise<Rules<V>>;
  /** What is held to even while the rules cannot be loaded: what the server could not know. */
  bareRules?: Rules<V>;
};

const showFirstInvalid = (form: HTMLFormElement | null): void => {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  if (!field) return;
  field.focus({ preventScroll: true });
  // To the middle, where no bar of the page covers it.
  bringIntoView(field, 'center');
};

/** Leads to the first refused field, once the marks of the refusal are drawn. */
const useInvalidShown = () => {
  const formRef = useRef<HTMLFormElement>(null);
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals > 0) showFirstInvalid(formRef.current);
  }, [refusals]);
  const showInvalid = useCallback((): void => setRefusals((count) => count + 1), []);
  return { formRef, showInvalid };
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

/** One at a time: what is asked for while it is under way is not done. */
const useOnce = () => {
  const [isUnderWay, setIsUnderWay] = useState(false);
  // A second press can come before the first is drawn, so the state alone would let it through.
  const isTaken = useRef(false);
  const once = async (perform: () => Promise<void>): Promise<void> => {
    if (isTaken.current) return;
    isTaken.current = true;
    setIsUnderWay(true);
    try {
      await perform();
    } finally {
      isTaken.current = false;
      setIsUnderWay(false);
    }
  };
  return { isUnderWay, once };
};

/**
 * A form's values and what may be said about them: a field's message is shown once it was touched or changed, or the
 * form was submitted. A server's message about a field stays until that field is changed.
 */
export const useForm = <V extends Values>({ initial, loadRules, bareRules }: Settings<V>) => {
  const { rules, load, warm } = useRules(loadRules, bareRules);
  const { values, shown, fromServer, latest, touch, touchAll, set, refuse } = useEntries(initial);
  const { formRef, showInvalid } = useInvalidShown();
  const { isUnderWay: isSubmitting, once } = useOnce();
  const invalid: FieldMessages = rules === null ? {} : rules(values);
  const errorOf = (name: string): string | undefined =>
    fromServer[name] ?? (shown.has(name) ? invalid[name] : undefined);

  /** Marks every field; when all are valid, hands the values on. Resolves to whether one was refused. */
  const submit = async (event: FormEvent<HTMLFormElement>, accept: (valid: V) => void): Promise<boolean> => {
    event.preventDefault();
    formRef.current = event.currentTarget;
    let isRefused = false;
    await once(async () => {
      const found = (await load())(latest.current);
      touchAll();
      isRefused = Object.keys({ ...found, ...fromServer }).length > 0;
      if (isRefused) showInvalid();
      else accept(latest.current);
    });
    return isRefused;
  };

  const input = (name: keyof V & string) => ({
    name,
    value: values[name] ?? '',
    error: errorOf(name),
    onChange: (event: { target: { value: string } }) => set(name, event.target.value),
    onBlur: () => touch(name),
  });

  return { values, invalid, set, touch, refuse, showInvalid, errorOf, input, submit, isSubmitting, warm };
};
