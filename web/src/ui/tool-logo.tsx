import Puzzle from 'lucide-react/icons/puzzle';
import type { ReactNode } from 'react';
import { ICON } from './inline.tsx';

/** Only what our server has sent as the content itself: no picture is loaded from another host. */
const isOwnPicture = (logo: string | null): logo is string =>
  logo?.startsWith('data:image/png;base64,') ?? false;

/** The picture of an app, or a symbol. Its name stands beside it. The first paint has inline.tsx, and not this. */
export const ToolLogo = ({ logo }: { logo: string | null }): ReactNode =>
  isOwnPicture(logo) ? (
    <img className="tool-logo" src={logo} alt="" width={20} height={20} />
  ) : (
    <Puzzle {...ICON} />
  );
