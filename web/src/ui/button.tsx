import { type ButtonHTMLAttributes, createContext, type ReactNode, use } from 'react';
import { Link, type LinkProps } from 'react-router-dom';
import { focusHeading } from './page-header.tsx';

type ButtonVariant = 'plain' | 'primary' | 'quiet' | 'bad';

type Style = {
  variant?: ButtonVariant | undefined;
  isSmall?: boolean | undefined;
  className?: string | undefined;
};

const classOf = ({ variant = 'plain', isSmall = false, className = '' }: Style): string =>
  ['button', variant === 'plain' ? '' : `is-${variant}`, isSmall ? 'is-small' : '', className]
    .filter(Boolean)
    .join(' ');

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  variant?: ButtonVariant;
  isSmall?: boolean;
  /** Shows a spinner before the word, at the same width, and ignores presses. */
  isBusy?: boolean;
  /** The word while busy, such as "Saving…": the spinner does not turn for everybody. */
  busyLabel?: string | undefined;
  /** Changes nothing that the page shows, so that it works where nothing can be changed too. */
  isReadOnly?: boolean;
};

type LabelProps = { children: ReactNode };

const Label = ({ children }: LabelProps): ReactNode => <span className="button-label">{children}</span>;

const BusyLabel = ({ children }: LabelProps): ReactNode => (
  <>
    <span className="spinner" aria-hidden="true" />
    <Label>{children}</Label>
  </>
);

/** Why nothing can be changed in this part of a page; null where it can. */
export const ReadOnly = createContext<string | null>(null);

/** Why a button does nothing here. */
const useRefusal = (isReadOnly: boolean | undefined): string | undefined => {
  const refusal = use(ReadOnly);
  return refusal === null || isReadOnly === true ? undefined : refusal;
};

/** A focused button that leaves the page, as the last one of a list, would leave the focus to the start of the document. */
const passFocusOn = (button: HTMLButtonElement) => (): void => {
  if (document.activeElement === button) focusHeading();
};

export const Button = ({
  variant,
  isSmall,
  isBusy = false,
  busyLabel,
  isReadOnly,
  className,
  onClick,
  children,
  ...rest
}: ButtonProps): ReactNode => {
  const refusal = useRefusal(isReadOnly);
  const isInactive = isBusy || refusal !== undefined;
  return (
    <button
      type="button"
      ref={passFocusOn}
      {...rest}
      title={refusal ?? rest.title}
      className={classOf({ variant, isSmall, className })}
      aria-busy={isBusy || undefined}
      // `disabled` would move the focus to the start of the document.
      aria-disabled={isInactive || rest['aria-disabled']}
      onClick={(event) => {
        // Also prevents the submit of a form, including by Enter in a field.
        if (isInactive) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {isBusy ? <BusyLabel>{busyLabel ?? children}</BusyLabel> : <Label>{children}</Label>}
    </button>
  );
};

type ButtonLinkProps = LinkProps & { variant?: ButtonVariant; isSmall?: boolean };

export const ButtonLink = ({ variant, isSmall, className, ...rest }: ButtonLinkProps): ReactNode => (
  <Link {...rest} className={classOf({ variant, isSmall, className })} />
);

type IconButtonProps = Omit<ButtonProps, 'children'> & { label: string; icon: ReactNode };

/** A button with an icon. Its label is its accessible name and its tooltip. */
export const IconButton = ({
  label,
  icon,
  className = '',
  variant = 'quiet',
  ...rest
}: IconButtonProps): ReactNode => (
  <Button
    {...rest}
    variant={variant}
    className={`is-icon ${className}`}
    aria-label={label}
    title={rest.title ?? label}
  >
    {icon}
  </Button>
);
