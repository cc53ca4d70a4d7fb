import type { SourceFile } from './source-files.ts';

const room = /^server\/src\/(engines|modules|platform)\//;
const isFree = /\.(test|factory)\.ts$/;
/** A key such as `public ${request.ip}`: whoever has an IPv6 network has as many addresses as they like. */
const bare = /`[a-z][a-z -]*[:@ ]\$\{(?:\w+\.)*ip\}/;

/** What is counted by address is counted by `homeOf(address)`. */
export const addressFaults = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => room.test(path) && !isFree.test(path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, at) => (bare.test(line) ? [`${path}:${at + 1} counts by a single address; homeOf() says whose it is`] : [])),
    );
