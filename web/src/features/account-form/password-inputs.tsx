import type { ReactNode } from 'react';
import { accountFormText } from '../../messages/account-form.ts';
import { passwordText } from '../../messages/password.ts';
import { NewPassword } from '../../ui/new-password.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import type { AccountFormState } from './account-values.ts';

type PasswordInputsProps = {
  form: AccountFormState;
  mode: 'new' | 'edit';
  isAdmin?: boolean;
  passwordLabel: string;
  passwordQualifier?: string;
};

/** The password of a new account, or a new one of an existing account: its user enters the current one too. */
export const PasswordInputs = (props: PasswordInputsProps): ReactNode => {
  const { form, mode, isAdmin = false, passwordLabel, passwordQualifier } = props;
  if (mode === 'new') return <NewPassword form={form} label={passwordLabel} />;
  return (
    <>
      <NewPassword
        form={form}
        label={passwordLabel}
        qualifier={passwordQualifier ?? accountFormText('optional')}
      />
      {!isAdmin && form.values.password !== '' && (
        <PasswordField
          label={passwordText('currentPassword')}
          autoComplete="current-password"
          {...form.input('currentPassword')}
        />
      )}
    </>
  );
};
