import { CountryName } from '../../kit/choices.ts';
import { useFormat } from '../../ui/words.ts';

interface Place {
  readonly address: string;
  readonly city: string;
  readonly postcode?: string;
  readonly region?: string;
  readonly country?: string;
}

/** An address in lines, as it is written on a letter. */
export function AddressText({ of: { address, city, postcode = '', region = '', country = '' } }: { of: Place }) {
  const lines = [address, [postcode, city].filter(Boolean).join(' '), region].filter(Boolean);
  if (lines.length === 0 && country === '') return '–';
  return (
    <>
      {lines.map((line) => (
        <div key={line}>
          <bdi>{line}</bdi>
        </div>
      ))}
      {country === '' ? null : (
        <div>
          <CountryName code={country} />
        </div>
      )}
    </>
  );
}

/** Degrees, north and east positive. */
export function PositionText({ of: { lat, lon } }: { of: { readonly lat: number | null; readonly lon: number | null } }) {
  const format = useFormat();
  return lat === null || lon === null ? '–' : <bdi className="m-mono">{`${format.number(lat, 5)}, ${format.number(lon, 5)}`}</bdi>;
}
