import type { Profile } from '@shortlist/contracts/api/profile';
import type { ProfileField } from '@shortlist/contracts/profile-fields';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { bringIntoView } from '../../lib/form/use-form.ts';
import { conflictText } from '../../messages/account-form.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { focusHeading } from '../../ui/page-header.tsx';
import {
  accountValuesOf,
  inputNameOf,
  profileFields,
  type ProfileInputName,
  type Submission,
} from './account-values.ts';

/** A field, or the picture, that was changed here and elsewhere in different ways. */
type Collision = { name: ProfileInputName | 'picture'; label: string; mine: string; saved: string };

type MergeInput = {
  /** The user as loaded when the form was opened. */
  base: Profile;
  /** The user as another editor has saved it since. */
  saved: Profile;
  submission: Submission;
  isAdmin: boolean;
};

const isSame = (one: string, other: string): boolean => one.trim() === other.trim();

const textOf = (value: string): string => (value.trim() === '' ? conflictText('empty') : value);

/** Two new pictures always collide; the same removal on both sides does not. */
const pictureCollision = ({ base, saved, submission }: MergeInput): Collision[] =>
  submission.file === null ||
  saved.picture === base.picture ||
  (submission.file === 'removed' && saved.picture === null)
    ? []
    : [
        {
          name: 'picture',
          label: conflictText('picture'),
          mine: conflictText(submission.file === 'removed' ? 'noPicture' : 'newPicture'),
          saved: conflictText(saved.picture === null ? 'noPicture' : 'otherPicture'),
        },
      ];

/**
 * Merges two edits of one user: a field that was changed on one side has that side's value. A field that was changed on both
 * sides is a collision, and has the value of the submission until `withSaved` decides otherwise.
 */
const mergeEdits = (
  input: MergeInput,
): { values: Record<ProfileInputName, string>; collisions: Collision[] } => {
  const { submission, isAdmin } = input;
  const base = accountValuesOf(input.base);
  const saved = accountValuesOf(input.saved);
  const mergeField = (field: ProfileField) => {
    const name = inputNameOf(field);
    const mine = submission.values[name];
    const isMine = !isSame(mine, base[name]);
    const isCollision = isMine && !isSame(saved[name], base[name]) && !isSame(mine, saved[name]);
    const collision = { name, label: field.label, mine: textOf(mine), saved: textOf(saved[name]) };
    return { name, value: isMine ? mine : saved[name], collisions: isCollision ? [collision] : [] };
  };
  const fields = profileFields(isAdmin).map(mergeField);
  return {
    values: Object.fromEntries(fields.map(({ name, value }) => [name, value])) as Record<
      ProfileInputName,
      string
    >,
    collisions: [...fields.flatMap(({ collisions }) => collisions), ...pictureCollision(input)],
  };
};

/** The submission with the saved values wherever the edits collide. */
const withSaved = (submission: Submission, saved: Profile, collisions: Collision[]): Submission => {
  const savedValues = accountValuesOf(saved);
  const names = collisions.map(({ name }) => name).filter((name) => name !== 'picture');
  const values = Object.fromEntries(names.map((name) => [name, savedValues[name]]));
  const hasPicture = collisions.some(({ name }) => name === 'picture');
  return { values: { ...submission.values, ...values }, file: hasPicture ? null : submission.file };
};

type ConflictProps = {
  editor: 'user' | 'admin';
  /** The user as last loaded from the server. */
  latest: Profile;
  /** The user as loaded when the form was opened. */
  base: Profile;
  submission: Submission;
  onReload: () => Promise<void>;
  onResolve: (resolved: Submission) => void;
};

/** Loads the saved user once, and returns whether that has failed. */
const useReload = (onReload: () => Promise<void>) => {
  const [isLoading, setIsLoading] = useState(true);
  const latestReload = useRef(onReload);
  const load = async (): Promise<void> => {
    await latestReload.current();
    setIsLoading(false);
  };
  const latestLoad = useRef(load);
  useEffect(() => void latestLoad.current(), []);
  const retry = (): void => {
    setIsLoading(true);
    void load();
  };
  return { isLoading, retry };
};

type NoticeProps = { title: string; children: ReactNode };

/** The alert is above the form and the pressed button below it, possibly out of view. */
const Notice = ({ title, children }: NoticeProps): ReactNode => {
  const container = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (container.current === null) return;
    container.current.focus({ preventScroll: true });
    bringIntoView(container.current, 'nearest');
  }, []);
  return (
    <Alert tone="bad" ref={container}>
      <div className="stack stack-s">
        <p>{title}</p>
        {children}
      </div>
    </Alert>
  );
};

const CollidingField = ({ collision }: { collision: Collision }): ReactNode => {
  const { label, mine, saved } = collision;
  const values = {
    field: label,
    mine: <strong key="mine">{mine}</strong>,
    saved: <strong key="saved">{saved}</strong>,
  };
  return <p>{conflictText.rich<ReactNode>('field', values)}</p>;
};

type ChoiceProps = { title: string; collisions: Collision[]; onMine: () => void; onSaved: () => void };

const Choice = ({ title, collisions, onMine, onSaved }: ChoiceProps): ReactNode => {
  const decide = (decision: () => void) => (): void => {
    focusHeading();
    decision();
  };
  return (
    <Notice title={title}>
      <p>{conflictText('question', { count: collisions.length })}</p>
      {collisions.map((collision) => (
        <CollidingField key={collision.name} collision={collision} />
      ))}
      <div className="form-end">
        <Button isSmall onClick={decide(onMine)}>
          {conflictText('keepMine')}
        </Button>
        <Button isSmall onClick={decide(onSaved)}>
          {conflictText('useSaved')}
        </Button>
      </div>
    </Notice>
  );
};

/**
 * Merges a refused edit with what has been saved meanwhile. Without a collision the merged edit is submitted at once; else the
 * colliding fields are shown for a choice.
 */
export const Conflict = (props: ConflictProps): ReactNode => {
  const { editor, latest, base, submission, onReload, onResolve } = props;
  const { isLoading, retry } = useReload(onReload);
  const isReloaded = latest.version !== base.version;
  const { values, collisions } = mergeEdits({
    base,
    saved: latest,
    submission,
    isAdmin: editor === 'admin',
  });
  const merged: Submission = { ...submission, values: { ...submission.values, ...values } };
  const resolve = useRef(() => onResolve(merged));
  useEffect(() => {
    resolve.current = () => onResolve(merged);
  });
  const isMergeable = isReloaded && collisions.length === 0;
  useEffect(() => {
    if (isMergeable) resolve.current();
  }, [isMergeable]);

  if (!isReloaded && !isLoading)
    return (
      <Notice title={conflictText(editor)}>
        <p>{conflictText('notLoaded')}</p>
        <Button isSmall onClick={retry}>
          {conflictText('retry')}
        </Button>
      </Notice>
    );
  if (!isReloaded || isMergeable) return null;
  return (
    <Choice
      title={conflictText(editor)}
      collisions={collisions}
      onMine={() => onResolve(merged)}
      onSaved={() => onResolve(withSaved(merged, latest, collisions))}
    />
  );
};
