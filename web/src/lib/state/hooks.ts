import type { Action, Dispatch } from '@reduxjs/toolkit';
import { useDispatch, useSelector } from 'react-redux';
import type { RootState } from './reducers.ts';

export const useAppSelector = useSelector.withTypes<RootState>();
export const useAppDispatch = useDispatch.withTypes<Dispatch<Action>>();

export const useUserToken = (): string | null =>
  useAppSelector(({ endUserAuth }) => endUserAuth.endUserToken);
export const useAdminToken = (): string | null => useAppSelector(({ adminAuth }) => adminAuth.token);
