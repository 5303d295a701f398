/** What the tests have a user write. */

export const BROKEN = `\
import numpy as np

points = np.arange(12.0).reshape(4, 3)
weights = np.ones((4, 2))
label = "𝒳🙂"; scores = points @ weights
`;

export const CASTS = `\
import numpy as np

counts = np.arange(4)
noise = counts * 0.5
label = "𝒳🙂"; counts += noise
print(counts)
`;

export const SLOW = `\
import time
import numpy as np

x = np.zeros(3)
for step in range(600):
    x = x + 1
    time.sleep(0.1)
`;

export const LENS = `\
import numpy as np

def scale(values):
    return values / values.max()

unit = scale(np.arange(1.0, 5.0))
`;

export const COST = `\
import numpy as np

def cost(w, x):
    loss = np.sum((x @ w) ** 2)
    return loss

cost(np.ones(3), np.ones((2, 3)))
`;

export const PRINTS = `\
import numpy as np

values = np.arange(4.0)
twice = values * 2
total = twice.sum()
print("the total is", total)
`;

export const NOTEBOOK = JSON.stringify({
  cells: [
    { cell_type: 'markdown', metadata: {}, source: ['# Points'] },
    code('import numpy as np\n\npoints = np.arange(12.0).reshape(4, 3)\nweights = np.ones((4, 2))'),
    code('label = "𝒳🙂"; scores = points @ weights'),
  ],
  metadata: { language_info: { name: 'python' } },
  nbformat: 4,
  nbformat_minor: 5,
});

function code(source: string) {
  return { cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source };
}
