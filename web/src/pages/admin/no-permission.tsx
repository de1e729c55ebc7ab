import type { ReactNode } from 'react';
import { paths } from '../../lib/paths.ts';
import { usePageInfo } from '../../lib/state/hooks.tsx';
import { shellText } from '../../messages/shell.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

/** Stands in for a page that the admin's role does not include. */
const NoPermission = (): ReactNode => {
  const title = shellText('noPermissionTitle');
  usePageInfo({ pageName: 'no-permission', pageTitle: title, pageDescripttion: '' });
  return (
    <>
      <PageHeader title={title} description={shellText('noPermissionText')} />
      <ButtonLink to={paths.admin}>{shellText('goToDashboard')}</ButtonLink>
    </>
  );
};

export default NoPermission;
