import type { Module } from '../module.ts';

/** A module with what its resources give it. */
export function withResources(module: Module): Module {
  const { resources = [] } = module;
  if (resources.length === 0) return module;
  return {
    ...module,
    routes: [...resources.flatMap((one) => one.routes), ...(module.routes ?? [])],
    refs: { ...Object.assign({}, ...resources.map((one) => one.refs)), ...module.refs },
    exporters: [...resources.flatMap((one) => one.exporters), ...(module.exporters ?? [])],
  };
}
