import { useEffect } from 'react';
import { useConfig } from '../data/use-config.ts';
import { page, type PageInfo } from './page.ts';
import { useAppDispatch } from './hooks.ts';

/** Tells the frame which page is shown, and the browser its title. */
export const usePageInfo = ({ pageName, pageTitle, pageDescripttion }: PageInfo): void => {
  const dispatch = useAppDispatch();
  const { brand } = useConfig();
  useEffect(() => {
    dispatch(page.infoSet({ pageName, pageTitle, pageDescripttion }));
  }, [dispatch, pageName, pageTitle, pageDescripttion]);
  useEffect(() => {
    document.title = `${pageTitle} · ${brand}`;
  }, [pageTitle, brand]);
};
