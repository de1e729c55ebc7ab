import Laptop from 'lucide-react/icons/laptop';
import Monitor from 'lucide-react/icons/monitor';
import Smartphone from 'lucide-react/icons/smartphone';
import type { ReactNode } from 'react';
import { ICON } from './inline.tsx';

const PHONE = /^(iPhone|iPad|Android)$/;
const DESKTOP = /^Windows$/;

export const DeviceIcon = ({ system }: { system: string }): ReactNode => {
  if (PHONE.test(system)) return <Smartphone {...ICON} />;
  return DESKTOP.test(system) ? <Monitor {...ICON} /> : <Laptop {...ICON} />;
};
