"""Small networks of many kinds, trained for some steps: losses are printed to the last bit."""

import torch
import torch.nn.functional as F
from torch import nn

STEPS = 4


def show(name, loss):
    print(f"{name:12}", loss.item().hex())


def fit(name, network, batches, loss_of, optimizer=None):
    optimizer = optimizer or torch.optim.SGD(network.parameters(), lr=0.05, momentum=0.9)
    network.train()
    for batch in batches:
        optimizer.zero_grad()
        loss = loss_of(network, *batch)
        loss.backward()
        optimizer.step()
        show(name, loss.detach())


class Block(nn.Module):
    """A residual block."""

    def __init__(self, channels):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(channels)

    def forward(self, x):
        out = F.relu(self.norm1(self.conv1(x)))
        return F.relu(self.norm2(self.conv2(out)) + x)


class LanguageModel(nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.table = nn.Embedding(words, width)
        self.lstm = nn.LSTM(width, width, batch_first=True)
        self.out = nn.Linear(width, words)

    def forward(self, tokens, state=None):
        hidden, state = self.lstm(self.table(tokens), state)
        return self.out(hidden), state


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(x).split(c, dim=2)
        q, k, v = (a.view(b, t, self.heads, c // self.heads).transpose(1, 2) for a in (q, k, v))
        weight = (q @ k.transpose(-2, -1)) / (c // self.heads) ** 0.5
        mask = torch.tril(torch.ones(t, t, dtype=torch.bool))
        weight = weight.masked_fill(~mask, float("-inf")).softmax(dim=-1)
        return self.proj((weight @ v).transpose(1, 2).reshape(b, t, c))


class GPT(nn.Module):
    def __init__(self, words, width, layers):
        super().__init__()
        self.table = nn.Embedding(words, width)
        self.place = nn.Embedding(32, width)
        self.blocks = nn.ModuleList(
            nn.ModuleDict({
                "norm1": nn.LayerNorm(width), "attention": Attention(width, 2),
                "norm2": nn.LayerNorm(width),
                "mlp": nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(),
                                     nn.Linear(4 * width, width)),
            })
            for _ in range(layers)
        )
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, words, bias=False)
        self.head.weight = self.table.weight

    def forward(self, tokens):
        x = self.table(tokens) + self.place(torch.arange(tokens.shape[1]))
        for block in self.blocks:
            x = x + block["attention"](block["norm1"](x))
            x = x + block["mlp"](block["norm2"](x))
        return self.head(self.norm(x))


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
        self.mean, self.log_var = nn.Linear(16, 2), nn.Linear(16, 2)
        self.decode = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 8))

    def forward(self, x):
        h = self.encode(x)
        mean, log_var = self.mean(h), self.log_var(h)
        z = mean + torch.randn_like(mean) * (0.5 * log_var).exp()
        return self.decode(z), mean, log_var


def elbo(network, x):
    out, mean, log_var = network(x)
    kl = -0.5 * (1 + log_var - mean.pow(2) - log_var.exp()).sum(dim=1).mean()
    return F.mse_loss(out, x) + 0.1 * kl


def next_words(network, tokens):
    out = network(tokens[:, :-1])
    scores = out[0] if isinstance(out, tuple) else out
    return F.cross_entropy(scores.reshape(-1, scores.shape[-1]), tokens[:, 1:].reshape(-1))


def classes(network, x, y):
    return F.cross_entropy(network(x), y)


def siamese(network, a, b, same):
    distance = F.pairwise_distance(network(a), network(b))
    return (same * distance.pow(2) + (1 - same) * F.relu(1 - distance).pow(2)).mean()


def gan():
    maker = nn.Sequential(nn.Linear(4, 16), nn.LeakyReLU(0.2), nn.Linear(16, 2))
    judge = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
    of_maker = torch.optim.Adam(maker.parameters(), lr=1e-3)
    of_judge = torch.optim.Adam(judge.parameters(), lr=1e-3)
    ones, zeros = torch.ones(32, 1), torch.zeros(32, 1)
    loss = F.binary_cross_entropy_with_logits
    for _ in range(STEPS):
        real, fake = torch.randn(32, 2) + 2, maker(torch.randn(32, 4))
        of_judge.zero_grad()
        judged = loss(judge(real), ones) + loss(judge(fake.detach()), zeros)
        judged.backward()
        of_judge.step()
        of_maker.zero_grad()
        fooled = loss(judge(fake), ones)
        fooled.backward()
        of_maker.step()
        show("gan", judged + fooled)


def policy_gradient():
    policy = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 2))
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
    for _ in range(STEPS):
        logs, rewards = [], []
        state = torch.zeros(3)
        for _ in range(6):
            choice = torch.distributions.Categorical(logits=policy(state))
            action = choice.sample()
            logs.append(choice.log_prob(action))
            rewards.append(1.0 if action.item() == 1 else -0.5)
            state = state + 0.1 * torch.randn(3)
        returns = torch.tensor(rewards).flip(0).cumsum(0).flip(0)
        returns = (returns - returns.mean()) / (returns.std() + 1e-6)
        loss = -(torch.stack(logs) * returns).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        show("policy", loss.detach())


def main():
    torch.manual_seed(0)
    images = [(torch.randn(4, 3, 16, 16), torch.randint(5, (4,))) for _ in range(STEPS)]
    words = [(torch.randint(20, (3, 9)),) for _ in range(STEPS)]
    rows = [(torch.randn(16, 8),) for _ in range(STEPS)]
    labelled = [(x, torch.randint(5, (16,))) for (x,) in rows]
    pairs = [(x, x.flip(0), (torch.rand(16) > 0.5).float()) for (x,) in rows]
    mlp = nn.Sequential(nn.Linear(8, 16), nn.ReLU(inplace=True), nn.Dropout(0.2), nn.Linear(16, 5))
    fit("mlp", mlp, labelled, classes)
    alexnet = nn.Sequential(
        nn.Conv2d(3, 8, 5, stride=2, padding=2), nn.ReLU(inplace=True), nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d(2),
        nn.Flatten(), nn.Dropout(), nn.Linear(64, 5),
    )
    fit("alexnet", alexnet, images, classes)
    resnet = nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), Block(8), Block(8),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 5),
    )
    fit("resnet", resnet, images, classes)
    fit("lstm", LanguageModel(20, 12), words, next_words)
    gpt = GPT(20, 16, 2)
    fit("gpt", gpt, words, next_words, torch.optim.AdamW(gpt.parameters(), lr=1e-3))
    fit("vae", VAE(), rows, elbo)
    fit("siamese", nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 4)), pairs, siamese)
    gan()
    policy_gradient()


main()
