import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { isAdminPath, paths } from '../lib/paths.ts';
import { usePageInfo } from '../lib/state/hooks.tsx';
import { shellText } from '../messages/shell.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';

const NotFoundPage = (): ReactNode => {
  usePageInfo({ pageName: 'not-found', pageTitle: shellText('notFoundTitle'), pageDescripttion: '' });
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

export default NotFoundPage;
