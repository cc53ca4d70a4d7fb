import { Button as AntButton, Tooltip } from 'antd';
import { type MouseEvent, type ReactNode, type Ref, useState } from 'react';
import { Icon, type IconName } from './icon.tsx';
import { useT } from './words.ts';

interface Common {
  icon?: IconName;
  onClick?: (event: MouseEvent<HTMLElement>) => void;
  /** An address makes it a link: it opens in a new tab like any other. */
  href?: string;
  disabled?: boolean;
  busy?: boolean;
  danger?: boolean;
  small?: boolean;
  ref?: Ref<HTMLButtonElement & HTMLAnchorElement>;
}

/** The second click of a double click is none of its own: one click counts. */
const isAgain = (event: MouseEvent): boolean => event.detail > 1;

type Look = 'primary' | 'default' | 'quiet';
const variants = { primary: 'solid', default: 'outlined', quiet: 'text' } as const;

export interface ButtonProps extends Common {
  look?: Look;
  children: ReactNode;
  /** What it acts on, where the same words stand on several buttons: heard, not seen. */
  of?: string | undefined;
  submit?: boolean;
  block?: boolean;
  autoFocus?: boolean;
  /** What it is there to choose is wrong or missing: the id of the words that say so. */
  wrong?: string | undefined;
  /** One of several that are chosen from, and whether it is. */
  pressed?: boolean;
}

export function Button({
  look = 'default',
  icon,
  href,
  disabled,
  busy,
  danger,
  small,
  submit,
  block,
  children,
  of,
  onClick,
  autoFocus,
  wrong,
  pressed,
  ref,
}: ButtonProps) {
  const t = useT();
  return (
    <AntButton
      ref={ref ?? null}
      variant={variants[look]}
      color={danger ? 'danger' : look === 'primary' || pressed ? 'primary' : 'default'}
      {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
      {...(wrong === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': wrong })}
      icon={icon ? <Icon name={icon} /> : undefined}
      htmlType={submit ? 'submit' : 'button'}
      size={small ? 'small' : 'middle'}
      loading={busy ?? false}
      disabled={disabled ?? false}
      block={block ?? false}
      autoInsertSpace={false}
      autoFocus={autoFocus ?? false}
      {...(of && typeof children === 'string' ? { 'aria-label': t('kit.act.of', { act: children, name: of }) } : {})}
      {...(href ? { href } : {})}
      onClick={(event) => (look !== 'quiet' && isAgain(event) ? event.preventDefault() : onClick?.(event))}
    >
      {children}
    </AntButton>
  );
}

export interface IconButtonProps extends Common {
  icon: IconName;
  label: string;
  pressed?: boolean;
  expanded?: boolean;
}

/** An icon alone: its name is in the tooltip and for screen readers. */
export function IconButton({ icon, label, onClick, href, disabled, busy, danger, small, pressed, expanded, ref }: IconButtonProps) {
  const [told, tell] = useState(false);
  return (
    <Tooltip title={label} mouseEnterDelay={0.4} open={told} onOpenChange={tell}>
      <AntButton
        ref={ref ?? null}
        variant="text"
        color={danger ? 'danger' : 'default'}
        icon={<Icon name={icon} />}
        aria-label={label}
        size={small ? 'small' : 'middle'}
        loading={busy ?? false}
        disabled={disabled ?? false}
        {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
        {...(expanded === undefined ? {} : { 'aria-expanded': expanded })}
        {...(href ? { href } : {})}
        onClick={(event) => {
          // What it opens isn't covered by its own name.
          tell(false);
          onClick?.(event);
        }}
      />
    </Tooltip>
  );
}
