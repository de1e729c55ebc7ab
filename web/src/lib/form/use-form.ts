import type { FieldMessages } from '@shortlist/contracts/errors';
import { type FormEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Failure } from '../api/api-error.ts';

const isCalm = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Scrolls an element into view, smoothly unless the user prefers reduced motion. */
export const bringIntoView = (element: Element, block: ScrollLogicalPosition): void =>
  element.scrollIntoView({ block, behavior: isCalm() ? 'auto' : 'smooth' });

/** Gives the focus back to the field that had it when its form was locked, unless something else has taken it since. */
export const useFocusReturn = (isLocked: boolean): void => {
  const field = useRef<HTMLElement | null>(null);
  // Before the browser takes the focus from what is inert, which it does as it paints.
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    if (isLocked) field.current = activeElement instanceof HTMLElement ? activeElement : null;
    else if (activeElement === body) field.current?.focus({ preventScroll: true });
  }, [isLocked]);
};

export type Values = Record<string, string>;
/** Returns the message of each invalid field. */
export type Rules<V extends Values> = (values: V) => FieldMessages;

const noRules = (): FieldMessages => ({});

/**
 * Loads the rules of a form. When they cannot be loaded, the form uses `fallback`, because the server validates in any case,
 * and the next submit loads them again.
 */
const useRules = <V extends Values>(loadRules: () => Promise<Rules<V>>, fallback: Rules<V> = noRules) => {
  const [rules, setRules] = useState<Rules<V> | null>(null);
  const load = useCallback(async (): Promise<Rules<V>> => {
    const loadedRules = await loadRules().catch(() => fallback);
    setRules(() => loadedRules);
    return loadedRules;
  }, [loadRules, fallback]);
  const preload = useCallback((): void => void load(), [load]);
  return { rules, load, preload };
};

type Settings<V extends Values> = {
  initial: V;
  /** Loads the rules, and Joi with them, when the form is first focused. Must be the same function at each render. */
  loadRules: () => Promise<Rules<V>>;
  /** The rules while the others cannot be loaded: those that the server cannot check. */
  fallbackRules?: Rules<V>;
};

const focusFirstInvalid = (form: HTMLFormElement | null): void => {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  if (!field) return;
  field.focus({ preventScroll: true });
  // In the middle, where no fixed bar covers it.
  bringIntoView(field, 'center');
};

/** Focuses the first invalid field after React has rendered the errors. */
const useInvalidFocus = () => {
  const formRef = useRef<HTMLFormElement>(null);
  const [requests, setRequests] = useState(0);
  useLayoutEffect(() => {
    if (requests > 0) focusFirstInvalid(formRef.current);
  }, [requests]);
  const focusInvalid = useCallback((): void => setRequests((count) => count + 1), []);
  return { formRef, focusInvalid };
};

/** The values, the touched fields, and the server's errors. */
const useEntries = <V extends Values>(initial: V) => {
  const [values, setValues] = useState(initial);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [serverErrors, replaceServerErrors] = useState<FieldMessages>({});
  const latest = useRef(values);
  const submitted = useRef(values);

  const touch = useCallback((name: string): void => setTouched((names) => new Set(names).add(name)), []);
  const touchAll = useCallback((): void => setTouched(new Set(Object.keys(latest.current))), []);
  const set = useCallback(
    (name: string, value: string): void => {
      latest.current = { ...latest.current, [name]: value };
      setValues(latest.current);
      touch(name);
      replaceServerErrors(({ [name]: _cleared, ...rest }) => rest);
    },
    [touch],
  );
  const setServerErrors = useCallback((fields: FieldMessages): void => {
    const formErrors = Object.entries(fields).filter(([name]) => name in latest.current);
    replaceServerErrors((before) => ({ ...before, ...Object.fromEntries(formErrors) }));
  }, []);
  /** What the server refused of the submitted values. A field that was changed meanwhile has no error. */
  const setRefused = useCallback(
    (fields: FieldMessages): void =>
      setServerErrors(
        Object.fromEntries(
          Object.entries(fields).filter(([name]) => latest.current[name] === submitted.current[name]),
        ),
      ),
    [setServerErrors],
  );
  return {
    values,
    touched,
    serverErrors,
    latest,
    submitted,
    touch,
    touchAll,
    set,
    setServerErrors,
    setRefused,
  };
};

/** Runs one function at a time and ignores calls meanwhile. */
const useExclusive = () => {
  const [isRunning, setIsRunning] = useState(false);
  // A second press can come before React renders the running state.
  const isLocked = useRef(false);
  const runExclusively = async (perform: () => Promise<void>): Promise<void> => {
    if (isLocked.current) return;
    isLocked.current = true;
    setIsRunning(true);
    try {
      await perform();
    } finally {
      isLocked.current = false;
      setIsRunning(false);
    }
  };
  return { isRunning, runExclusively };
};

/**
 * The values and errors of a form. A field's error is shown after the field is touched or changed, or the form submitted. The
 * server's error about a field stays until the field is changed.
 */
export const useForm = <V extends Values>({ initial, loadRules, fallbackRules }: Settings<V>) => {
  const { rules, load, preload: preloadRules } = useRules(loadRules, fallbackRules);
  const entries = useEntries(initial);
  const { values, touched, serverErrors, latest, submitted, touch, touchAll, set } = entries;
  const { formRef, focusInvalid } = useInvalidFocus();
  const { isRunning: isSubmitting, runExclusively } = useExclusive();
  const invalid: FieldMessages = rules === null ? {} : rules(values);
  const errorOf = (name: string): string | undefined =>
    serverErrors[name] ?? (touched.has(name) ? invalid[name] : undefined);

  /** Touches every field and calls `accept` when all are valid. Resolves to whether one is invalid. */
  const submit = async (event: FormEvent<HTMLFormElement>, accept: (valid: V) => void): Promise<boolean> => {
    event.preventDefault();
    formRef.current = event.currentTarget;
    let isInvalid = false;
    await runExclusively(async () => {
      const errors = (await load())(latest.current);
      touchAll();
      isInvalid = Object.keys({ ...errors, ...serverErrors }).length > 0;
      if (isInvalid) focusInvalid();
      else accept((submitted.current = latest.current));
    });
    return isInvalid;
  };

  const input = (name: keyof V & string) => ({
    name,
    value: values[name] ?? '',
    error: errorOf(name),
    onChange: (event: { target: { value: string } }) => set(name, event.target.value),
    onBlur: () => touch(name),
  });

  return {
    values,
    invalid,
    set,
    touch,
    setServerErrors: entries.setServerErrors,
    setRefused: entries.setRefused,
    focusInvalid,
    errorOf,
    input,
    submit,
    isSubmitting,
    preloadRules,
  };
};

export type Form<V extends Values> = ReturnType<typeof useForm<V>>;

/** Shows the errors of a refused submit at their fields, and leads to the first of them. */
export const useRefusal = <V extends Values>(
  { setRefused, focusInvalid }: Form<V>,
  failure: Failure | null,
): void => {
  useEffect(() => {
    if (failure === null) return;
    setRefused(failure.fields);
    focusInvalid();
  }, [failure, setRefused, focusInvalid]);
};
