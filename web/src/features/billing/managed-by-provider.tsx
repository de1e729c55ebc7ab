import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import type { ReactNode } from 'react';
import { useConfig } from '../../lib/data/use-config.ts';
import { ExternalLink } from '../../ui/external-link.tsx';

type ManagedByProviderProps = { subject: string; end?: ReactNode };

/** The content of the pages whose subject is managed in the payment provider's dashboard. */
export const ManagedByProvider = ({ subject, end }: ManagedByProviderProps): ReactNode => {
  const { links } = useConfig();
  return (
    <section className="panel measure" aria-label={subject}>
      <div className="body">
        <p>{subject} managed in the card payment provider&apos;s dashboard.</p>
      </div>
      <div className="panel-actions">
        <ExternalLink className="button" href={links.provider}>
          Open the provider&apos;s dashboard
          <ArrowUpRight size={18} strokeWidth={1.75} aria-hidden="true" />
        </ExternalLink>
        {end}
      </div>
    </section>
  );
};
