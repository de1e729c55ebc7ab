import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { isAdminPath, paths } from '../lib/paths.ts';
import { usePageInfo } from '../lib/state/use-page-info.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';

const NotFoundPage = (): ReactNode => {
  usePageInfo({ pageName: 'not-found', pageTitle: 'Page not found', pageDescripttion: '' });
  const isAdmin = isAdminPath(useLocation().pathname);
  return (
    <>
      <PageHeader title="Page not found" description="There is nothing at this address." />
      <ButtonLink to={isAdmin ? paths.admin : paths.home}>
        {isAdmin ? 'Go to the dashboard' : 'Go to home'}
      </ButtonLink>
    </>
  );
};

export default NotFoundPage;
