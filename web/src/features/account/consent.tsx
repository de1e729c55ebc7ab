import { messages } from '@shortlist/contracts/messages';
import CircleAlert from 'lucide-react/icons/circle-alert';
import { Fragment, type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react';
import type { Failure } from '../../lib/api/api-error.ts';
import { revalidateConfig, useConfig } from '../../lib/data/use-config.ts';
import { consentText } from '../../messages/account-form.ts';
import { ExternalLink } from '../../ui/inline.tsx';

/** Our text of the consent, or the operator's, with its links. */
const ConsentText = ({ text }: { text: string | null }): ReactNode => {
  const { links } = useConfig();
  const linkTo = (href: string | undefined) => (content: ReactNode[]) => (
    <ExternalLink href={href}>{content}</ExternalLink>
  );
  const values = { terms: linkTo(links.terms), privacy: linkTo(links.privacy) };
  const parts =
    text === null
      ? consentText.rich<ReactNode>('agree', values)
      : messages({ text }).rich<ReactNode>('text', values);
  return parts.map((part, index) => <Fragment key={index}>{part}</Fragment>);
};

type ConsentFieldProps = {
  text: string | null;
  isGiven: boolean;
  isMissing: boolean;
  onChange: (isGiven: boolean) => void;
  ref: Ref<HTMLInputElement>;
};

const ConsentField = ({ text, isGiven, isMissing, onChange, ref }: ConsentFieldProps): ReactNode => {
  const id = useId();
  return (
    <div className="consent">
      <label className="check-line">
        <input
          ref={ref}
          type="checkbox"
          checked={isGiven}
          aria-invalid={isMissing || undefined}
          aria-describedby={isMissing ? id : undefined}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>
          <ConsentText text={text} />
        </span>
      </label>
      {isMissing && (
        <p className="help is-bad" id={id} role="alert">
          <CircleAlert size={15} aria-hidden="true" />
          {consentText('required')}
        </p>
      )}
    </div>
  );
};

/** The consent that a sign-up requires: its field, the version that is accepted, and a check that marks and focuses a missing one. */
export const useConsent = (failure: Failure | null) => {
  const { consent } = useConfig();
  const [acceptedVersion, setAcceptedVersion] = useState<string | null>(null);
  const [isForgotten, setIsForgotten] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const isRefused = failure?.fields['termsAccepted'] !== undefined;
  useEffect(() => {
    // The terms may have been set or changed after this page was loaded.
    if (isRefused) void revalidateConfig();
  }, [isRefused]);
  // Other terms need a consent of their own.
  const isGiven = consent !== null && acceptedVersion === consent.version;
  const check = (): boolean => {
    const isAgreed = consent === null || isGiven;
    setIsForgotten(!isAgreed);
    if (!isAgreed) input.current?.focus();
    return isAgreed;
  };
  const isMissing = !isGiven && (isForgotten || isRefused);
  const field = consent && (
    <ConsentField
      {...{ text: consent.text, isGiven, isMissing }}
      onChange={(isAccepted) => setAcceptedVersion(isAccepted ? consent.version : null)}
      ref={input}
    />
  );
  return { acceptedVersion: isGiven ? acceptedVersion : null, field, check };
};
