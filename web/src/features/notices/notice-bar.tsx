import type { NoticeView } from '@shortlist/contracts/api/notices';
import Info from 'lucide-react/icons/info';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { ExternalLink, ICON } from '../../ui/inline.tsx';

type NoticeProps = { notice: Omit<NoticeView, 'id'>; children?: ReactNode };

const NoticeLink = ({ notice: { linkLabel, linkTo } }: NoticeProps): ReactNode => {
  if (linkLabel === '') return null;
  if (linkTo === '') return <a>{linkLabel}</a>;
  return linkTo.startsWith('/') ? (
    <Link to={linkTo}>{linkLabel}</Link>
  ) : (
    <ExternalLink href={linkTo}>{linkLabel}</ExternalLink>
  );
};

/** A notice as users see it, with what can be done about it at its end. A link without an address leads nowhere. */
export const NoticeBar = ({ notice, children }: NoticeProps): ReactNode => (
  <div className="notice-bar">
    {notice.tone === 'warn' ? <TriangleAlert {...ICON} /> : <Info {...ICON} />}
    <p>{notice.tone === 'warn' ? <strong>{notice.text}</strong> : notice.text}</p>
    <NoticeLink notice={notice} />
    {children}
  </div>
);
