// Preloaded into a process: arms the fail points of FAIL_POINTS, which fire while the file FAIL_SWITCH exists.
import { armFailPoints } from '@shortlist/kit/testing/arm-fail-points';

const { FAIL_POINTS: points = '', FAIL_SEED: seed = '1', FAIL_SWITCH: switchFile = '' } = process.env;

armFailPoints({ points, seed: Number(seed) ^ process.pid, switchFile });
