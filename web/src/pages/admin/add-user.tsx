import { useEffect, type ReactNode } from 'react';
import { AccountForm } from '../../features/account-form/account-form.tsx';
import { accountForm, emptyAccount } from '../../features/account-form/account-values.ts';
import { paths } from '../../lib/paths.ts';
import { useAppDispatch, useAppSelector } from '../../lib/state/hooks.ts';
import { userCommands } from '../../lib/state/user-commands.ts';
import { usePageInfo } from '../../lib/use-page-info.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

const TITLE = 'Create a new User';

const AddUserPage = (): ReactNode => {
  usePageInfo({ pageName: 'add-user', pageTitle: TITLE, pageDescripttion: '' });
  const { busy, failure } = useAppSelector((state) => state.userCommands.add);
  const dispatch = useAppDispatch();
  useEffect(() => () => void dispatch(userCommands.forgotten('add')), [dispatch]);
  return (
    <>
      <PageHeader
        title={TITLE}
        description="They can log in at once with the email and password you give them."
      />
      <section className="panel" aria-label={TITLE}>
        <div className="body">
          <AccountForm
            mode="new"
            isAdmin
            initial={emptyAccount}
            picture={null}
            submitLabel="Create User"
            passwordLabel="Password"
            isBusy={busy}
            failure={failure}
            onSubmit={(values, file) =>
              dispatch(
                userCommands.requested({ name: 'add', form: accountForm({ values, file, isAdmin: true }) }),
              )
            }
            end={
              <ButtonLink look="quiet" to={paths.userList}>
                Cancel
              </ButtonLink>
            }
          />
        </div>
      </section>
    </>
  );
};

export default AddUserPage;
