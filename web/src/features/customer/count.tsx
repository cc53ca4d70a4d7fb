import { IOT_COUNT_CAP } from '@mooring/contract/customer/customer';
import { useFormat } from '../../ui/words.ts';

/** How many there are, as far as it is counted. */
export function Count({ of }: { of: number }) {
  const format = useFormat();
  return format.total(of, of >= IOT_COUNT_CAP);
}
