import { deviceCalls } from '@mooring/contract/device/calls';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { productCalls } from '@mooring/contract/product/calls';
import type { Choice } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';

type Choices = { choices: readonly Choice[]; busy?: boolean };

export function useProducts(text: string): Choices {
  const found = useCall(productCalls.list, { text }, { keep: true });
  return {
    choices: (found.data ?? []).map((one) => ({ value: one.id, label: { text: `${one.name} (${one.code})` } })),
    busy: found.fetching,
  };
}

type Chosen = readonly (string | number)[];
const missingOf = (chosen: Chosen, found: readonly { id: number }[] | undefined): number[] =>
  chosen.map(Number).filter((id) => Number.isInteger(id) && found !== undefined && !found.some((one) => one.id === id));

/** Published packages, newest first; and the one that is chosen already, whatever became of it. */
export function usePackages(text: string, chosen: Chosen): Choices {
  const found = useCall(
    packageCalls.page,
    { criteria: { publishState: { in: ['1', '3'] }, ...(text ? { text } : {}) }, page: { size: 50 } },
    { keep: true },
  );
  const [missing] = missingOf(chosen, found.data?.content);
  const own = useCall(packageCalls.detail, { id: missing ?? 0 }, { enabled: missing !== undefined });
  const packages = [...(found.data?.content ?? []), ...(missing !== undefined && own.data ? [own.data] : [])];
  return {
    choices: packages.map((one) => ({ value: one.id, label: { text: `${one.productName} · ${one.version} (${one.kind})` } })),
    busy: found.fetching,
  };
}

/** Versions that terminals of this product run. */
export function useVersions(productId: number | undefined): Choices {
  const found = useCall(deviceCalls.firmwares, { productId }, { enabled: productId !== undefined });
  return {
    choices: (found.data ?? []).map((one) => ({ value: one.version, label: { text: `${one.version} (${one.count})` } })),
    busy: found.fetching,
  };
}

/** Of the package that a release is made of. */
export function useProductOf(packageId: unknown): number | undefined {
  const known = typeof packageId === 'number';
  return useCall(packageCalls.detail, { id: known ? packageId : 0 }, { enabled: known }).data?.productId;
}

export function useTags(): Choices {
  const found = useCall(deviceCalls.tags, {});
  return { choices: (found.data ?? []).map((tag) => ({ value: tag, label: { text: tag } })), busy: found.fetching };
}
