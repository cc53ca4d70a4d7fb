import { Select } from 'antd';
import { useFieldLink } from './field.tsx';

/** Several texts of one's own, each ended by Enter, comma, semicolon or a line break; a pasted column becomes many. */
export function TagsInput({
  value,
  onChange,
  onBlur,
  disabled,
  spaced = false,
}: {
  value: readonly string[];
  onChange: (value: string[]) => void;
  onBlur?: () => void;
  disabled?: boolean;
  /** A text may have spaces in it: they end none. */
  spaced?: boolean;
}) {
  const { id, describedBy, invalid } = useFieldLink();
  return (
    <Select<string[]>
      {...(id ? { id } : {})}
      {...(describedBy ? { 'aria-describedby': describedBy } : {})}
      {...(invalid ? { status: 'error' as const, 'aria-invalid': true } : {})}
      mode="tags"
      open={false}
      suffixIcon={null}
      tokenSeparators={[',', ';', '\n', '\t', ...(spaced ? [] : [' '])]}
      value={[...value]}
      onChange={(next) => onChange([...new Set(next.map((one) => one.trim()).filter(Boolean))])}
      onBlur={() => onBlur?.()}
      disabled={disabled ?? false}
      style={{ inlineSize: '100%' }}
    />
  );
}
