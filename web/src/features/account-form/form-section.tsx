import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { bringIntoView } from '../../lib/form/bring-into-view.ts';

type SectionProps = {
  title: string;
  hint?: string | undefined;
  id?: string;
  isLocked: boolean;
  children: ReactNode;
};

/** A section with an id takes the focus when the address names it. */
const useSectionFocus = (id: string | undefined) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const { hash, key } = useLocation();
  useLayoutEffect(() => {
    if (id === undefined || hash !== `#${id}` || heading.current === null) return;
    heading.current.focus({ preventScroll: true });
    bringIntoView(heading.current, 'center');
  }, [id, hash, key]);
  return heading;
};

export const FormSection = ({ title, hint, id, isLocked, children }: SectionProps): ReactNode => {
  const titleId = useId();
  const heading = useSectionFocus(id);
  return (
    <section className="form-part" role="group" id={id} aria-labelledby={titleId} inert={isLocked}>
      <div className="section-intro">
        <h2 id={titleId} ref={heading} tabIndex={id === undefined ? undefined : -1}>
          {title}
        </h2>
        {hint !== undefined && <p>{hint}</p>}
      </div>
      <div className="form-grid">{children}</div>
    </section>
  );
};
