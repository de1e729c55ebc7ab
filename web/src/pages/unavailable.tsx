import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { isAdminPath, paths } from '../lib/paths.ts';
import { usePageInfo } from '../lib/state/hooks.tsx';
import { shellText } from '../messages/shell.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';

export const NotFoundPage = (): ReactNode => {
  usePageInfo({ pageName: 'not-found', pageTitle: shellText('notFoundTitle'), pageDescription: '' });
  const isAdmin = isAdminPath(useLocation().pathname);
  return (
    <>
      <PageHeader title={shellText('notFoundTitle')} description={shellText('notFoundText')} />
      <ButtonLink to={isAdmin ? paths.admin : paths.home}>
        {shellText(isAdmin ? 'goToDashboard' : 'goHome')}
      </ButtonLink>
    </>
  );
};

/** Stands in for a page that the admin's role does not include. */
export const NoPermissionPage = (): ReactNode => {
  const title = shellText('noPermissionTitle');
  usePageInfo({ pageName: 'no-permission', pageTitle: title, pageDescription: '' });
  return (
    <>
      <PageHeader title={title} description={shellText('noPermissionText')} />
      <ButtonLink to={paths.admin}>{shellText('goToDashboard')}</ButtonLink>
    </>
  );
};
