const MB = 1024 * 1024;

/** Of one upload: a terminal reads its own file alone, so each is small. */
export const paramLimits = { files: 20_000, fileBytes: MB, bytes: 200 * MB } as const;

/** Why a file of an upload can't be anybody's. */
export const paramProblems = ['noTerminal', 'doubled', 'tooLarge', 'empty', 'encrypted'] as const;
