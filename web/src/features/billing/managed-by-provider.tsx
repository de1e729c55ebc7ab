import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import type { ReactNode } from 'react';
import { useConfig } from '../../lib/data/use-config.ts';
import { adminText } from '../../messages/admin.ts';
import { ExternalLink } from '../../ui/external-link.tsx';

type ManagedByProviderProps = { title: string; text: string; end?: ReactNode };

/** The content of the pages whose subject is managed in the payment provider's dashboard. */
export const ManagedByProvider = ({ title, text, end }: ManagedByProviderProps): ReactNode => {
  const { links } = useConfig();
  return (
    <section className="panel measure" aria-label={title}>
      <div className="body">
        <p>{text}</p>
      </div>
      <div className="panel-actions">
        <ExternalLink className="button" href={links.provider}>
          {adminText('openProvider')}
          <ArrowUpRight size={18} strokeWidth={1.75} aria-hidden="true" />
        </ExternalLink>
        {end}
      </div>
    </section>
  );
};
