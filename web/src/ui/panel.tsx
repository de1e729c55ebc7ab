import { useId, type ReactNode } from 'react';

type PanelProps = { title: string; end?: ReactNode; isBare?: boolean; children: ReactNode };

/** A titled section. With `isBare` its content has no padding, as for a table. */
export const Panel = ({ title, end, isBare = false, children }: PanelProps): ReactNode => {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="head">
        <h2 id={id}>{title}</h2>
        {end}
      </div>
      {isBare ? children : <div className="body">{children}</div>}
    </section>
  );
};
