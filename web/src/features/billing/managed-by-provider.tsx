import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import type { ReactNode } from 'react';
import { useConfig } from '../../lib/data/use-config.ts';
import { customerPage } from '../../lib/provider-link.ts';
import { adminText } from '../../messages/admin.ts';
import { ExternalLink } from '../../ui/external-link.tsx';

type ManagedByProviderProps = { title: string; text: string; customerId?: string | null; end?: ReactNode };

/** The content of the pages whose subject is managed in the payment provider's dashboard, at the customer's page if there is one. */
export const ManagedByProvider = ({
  title,
  text,
  customerId = null,
  end,
}: ManagedByProviderProps): ReactNode => {
  const { links } = useConfig();
  const href = customerId === null ? links.provider : customerPage(links.provider, customerId);
  return (
    <section className="panel measure" aria-label={title}>
      <div className="body">
        <p>{text}</p>
      </div>
      <div className="panel-actions">
        <ExternalLink className="button" href={href}>
          {adminText('openProvider')}
          <ArrowUpRight size={18} strokeWidth={1.75} aria-hidden="true" />
        </ExternalLink>
        {end}
      </div>
    </section>
  );
};
