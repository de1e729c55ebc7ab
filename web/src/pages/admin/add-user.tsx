import { publicEndpoints } from '@shortlist/contracts/api/public';
import { useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { AccountForm } from '../../features/account/account-form.tsx';
import { accountFormData } from '../../features/account/account-values.ts';
import { DraftNotice, useNewDraft } from '../../features/account/draft.tsx';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { paths } from '../../lib/paths.ts';
import { useAdminToken, useUserList, usePageInfo } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { shellText } from '../../messages/shell.ts';
import { headingText } from '../../messages/headings.ts';
import { adminText } from '../../messages/admin.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

const TITLE = shellText('createUser');

const useAddUser = (clearDraft: () => void) => {
  const token = useAdminToken();
  const navigate = useNavigate();
  return useCommand(async (form: FormData): Promise<void> => {
    await call(publicEndpoints.signup, form, { token });
    clearDraft();
    await revalidate(['directory']);
    // Without the list's filters, which could hide the new user.
    await navigate(`${paths.userList}?newUserCreated=true`);
  });
};

const NewUser = (): ReactNode => {
  const draft = useNewDraft();
  const { isBusy, failure, run } = useAddUser(draft.clear);
  const userList = useUserList();
  // Discarding the draft changes the key, so that the form starts over.
  const [formKey, setFormKey] = useState(0);
  const handleDiscard = (): void => {
    draft.discard();
    setFormKey(formKey + 1);
  };
  return (
    <div className="stack">
      {draft.isRestored && <DraftNotice onDiscard={handleDiscard} />}
      <AccountForm
        key={formKey}
        mode="new"
        isAdmin
        initial={draft.initial}
        picture={null}
        submitLabel={adminText('createUser')}
        busyLabel={adminText('creatingUser')}
        passwordLabel={adminText('password')}
        isBusy={isBusy}
        failure={failure}
        onChange={draft.save}
        onSubmit={(values, file) => void run(accountFormData({ values, file, isAdmin: true }))}
        actions={
          <ButtonLink variant="quiet" {...userList} onClick={draft.clear}>
            {adminText('cancel')}
          </ButtonLink>
        }
      />
    </div>
  );
};

const AddUserPage = (): ReactNode => {
  usePageInfo({ pageName: 'add-user', pageTitle: TITLE, pageDescription: '' });
  return (
    <>
      <PageHeader title={TITLE} description={headingText('createUserNote')} />
      <section className="measure" aria-label={TITLE}>
        <NewUser />
      </section>
    </>
  );
};

export default AddUserPage;
