import { useEffect } from 'react';
import { useAppDispatch } from './hooks.ts';
import { page, type PageInfo } from './page.ts';

/** Sets the name, title and description of the current page. */
export const usePageInfo = ({ pageName, pageTitle, pageDescripttion }: PageInfo): void => {
  const dispatch = useAppDispatch();
  useEffect(() => {
    dispatch(page.infoSet({ pageName, pageTitle, pageDescripttion }));
  }, [dispatch, pageName, pageTitle, pageDescripttion]);
};
