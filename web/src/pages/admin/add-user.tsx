import { useState, type ReactNode } from 'react';
import { AccountForm } from '../../features/account/account-form.tsx';
import { accountFormData } from '../../features/account/account-values.ts';
import { DraftNotice, useNewDraft } from '../../features/account/draft.tsx';
import { userCommandsSaga } from '../../features/users/user-commands-saga.ts';
import { useAppSelector, usePageInfo, useSaga } from '../../lib/state/hooks.tsx';
import { listDestination } from '../../lib/state/list-view.ts';
import { useUserCommand } from '../../lib/state/use-command.ts';
import { adminText } from '../../messages/admin.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

const TITLE = adminText('addUser');

const NewUser = (): ReactNode => {
  const { isBusy, failure, run } = useUserCommand('add');
  const listView = useAppSelector((state) => state.listView);
  const draft = useNewDraft();
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
        passwordLabel={adminText('password')}
        isBusy={isBusy}
        failure={failure}
        onChange={draft.save}
        onSubmit={(values, file) => run({ form: accountFormData({ values, file, isAdmin: true }) })}
        actions={
          <ButtonLink variant="quiet" {...listDestination(listView)} onClick={draft.clear}>
            {adminText('cancel')}
          </ButtonLink>
        }
      />
    </div>
  );
};

const AddUserPage = (): ReactNode => {
  useSaga(userCommandsSaga);
  usePageInfo({ pageName: 'add-user', pageTitle: TITLE, pageDescripttion: '' });
  return (
    <>
      <PageHeader title={TITLE} description={adminText('addUserHint')} />
      <section className="measure" aria-label={TITLE}>
        <NewUser />
      </section>
    </>
  );
};

export default AddUserPage;
