import { SCOPES } from '@shortlist/contracts/api/connected-apps';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { API_KEY_NAME_MAX } from '@shortlist/contracts/limits';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Failure } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { type Form, type Rules, useForm } from '../../lib/form/use-form.ts';
import { paths } from '../../lib/paths.ts';
import { useUserToken } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { connectionsText, scopeText } from '../../messages/connections.ts';
import { Alert, FailureAlert } from '../../ui/alert.tsx';
import { PickMany } from '../../ui/choices.tsx';
import { CopyOnce, FormDialog } from '../../ui/form-dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import {
  EXPIRIES,
  expiryDays,
  keyRules,
  type KeyValues,
  NEVER,
  NEW_KEY,
  scopesIn,
} from './connections.rules.ts';

const EXPIRY_LABELS: Record<(typeof EXPIRIES)[number], string> = {
  30: connectionsText('in30'),
  90: connectionsText('in90'),
  365: connectionsText('in365'),
  never: connectionsText('never'),
};

const OPTIONS = SCOPES.map((scope) => ({
  value: scope,
  label: scopeText(scope),
  note: scopeText(`${scope} note`),
}));

type FieldsProps = { form: Form<KeyValues> };

const Fields = ({ form }: FieldsProps): ReactNode => (
  <>
    <div className="form-parts">
      <div className="form-grid">
        <TextField
          label={connectionsText('name')}
          placeholder={connectionsText('nameHint')}
          maxLength={API_KEY_NAME_MAX}
          autoComplete="off"
          data-autofocus
          {...form.input('name')}
        />
        <SelectField
          label={connectionsText('expiry')}
          help={form.values.expires === NEVER && connectionsText('neverHelp')}
          {...form.input('expires')}
        >
          {EXPIRIES.map((expiry) => (
            <option key={expiry} value={expiry}>
              {EXPIRY_LABELS[expiry]}
            </option>
          ))}
        </SelectField>
      </div>
    </div>
    <PickMany
      legend={connectionsText('may')}
      options={OPTIONS}
      values={scopesIn(form.values.scopes)}
      error={form.errorOf('scopes')}
      onChange={(scopes) => form.set('scopes', scopes.join(' '))}
    />
  </>
);

/** Why no key was made. The address is confirmed on another page. */
const Refusal = ({ failure }: { failure: Failure }): ReactNode =>
  failure.code === 'identity.email_unverified' ? (
    <Alert tone="bad">
      {failure.message} <Link to={paths.emailCode}>{connectionsText('confirmEmail')}</Link>
    </Alert>
  ) : (
    <FailureAlert failure={failure} />
  );

const loadRules = (): Promise<Rules<KeyValues>> => Promise.resolve(keyRules);

const useCreation = (onCreated: (key: string) => void) => {
  const token = useUserToken();
  return useCommand(async ({ name, expires, scopes }: KeyValues): Promise<void> => {
    const input = { name: name.trim(), scopes: scopesIn(scopes), expiresInDays: expiryDays(expires) };
    const { key } = await call(publicEndpoints.createApiKey, input, { token });
    onCreated(key);
    await revalidate(['connections']);
  });
};

type KeyFormProps = { onCreated: (key: string) => void; onClose: () => void };

const KeyForm = ({ onCreated, onClose }: KeyFormProps): ReactNode => {
  const form = useForm({ initial: NEW_KEY, loadRules });
  const command = useCreation(onCreated);
  return (
    <FormDialog
      title={connectionsText('createTitle')}
      submit={connectionsText('create')}
      isWide
      form={form}
      command={command}
      renderFailure={(failure) => <Refusal failure={failure} />}
      onClose={onClose}
    >
      <Fields form={form} />
    </FormDialog>
  );
};

/** Makes a key and shows it once. It is nowhere but in the state of this dialog. */
export const CreateKey = ({ onClose }: { onClose: () => void }): ReactNode => {
  const [key, setKey] = useState<string | null>(null);
  return key === null ? (
    <KeyForm onCreated={setKey} onClose={onClose} />
  ) : (
    <CopyOnce
      title={connectionsText('copyTitle')}
      text={connectionsText('copyText')}
      label={connectionsText('key')}
      value={key}
      onClose={onClose}
    />
  );
};
