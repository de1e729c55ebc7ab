import { useEffect, useState, type ReactNode } from 'react';
import { AccountForm } from '../../features/account-form/account-form.tsx';
import { accountForm } from '../../features/account-form/account-values.ts';
import { DraftFound } from '../../features/account-form/draft-found.tsx';
import { useDraftOfNew } from '../../features/account-form/use-draft.ts';
import { useAppDispatch, useAppSelector } from '../../lib/state/hooks.ts';
import { listPlace } from '../../lib/state/list-left.ts';
import { userCommands } from '../../lib/state/user-commands.ts';
import { usePageInfo } from '../../lib/use-page-info.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

const TITLE = 'Create a new User';

const NewUser = (): ReactNode => {
  const { busy, failure } = useAppSelector((state) => state.userCommands.add);
  const left = useAppSelector((state) => state.listLeft);
  const draft = useDraftOfNew();
  // The form's key, so that it begins anew when what was found in it is discarded.
  const [round, setRound] = useState(0);
  const dispatch = useAppDispatch();
  useEffect(() => () => void dispatch(userCommands.forgotten('add')), [dispatch]);
  const handleDiscard = (): void => {
    draft.discard();
    setRound(round + 1);
  };
  return (
    <div className="stack">
      {draft.isFound && <DraftFound onDiscard={handleDiscard} />}
      <AccountForm
        key={round}
        mode="new"
        isAdmin
        initial={draft.initial}
        picture={null}
        submitLabel="Create User"
        passwordLabel="Password"
        isBusy={busy}
        failure={failure}
        onChange={draft.keep}
        onSubmit={(values, file) =>
          dispatch(
            userCommands.requested({ name: 'add', form: accountForm({ values, file, isAdmin: true }) }),
          )
        }
        end={
          <ButtonLink look="quiet" {...listPlace(left)} onClick={draft.forget}>
            Cancel
          </ButtonLink>
        }
      />
    </div>
  );
};

const AddUserPage = (): ReactNode => {
  usePageInfo({ pageName: 'add-user', pageTitle: TITLE, pageDescripttion: '' });
  return (
    <>
      <PageHeader
        title={TITLE}
        description="They can log in at once with the email and password you give them."
      />
      <section className="measure" aria-label={TITLE}>
        <NewUser />
      </section>
    </>
  );
};

export default AddUserPage;
