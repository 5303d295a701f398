# expect: 12 script-error
# why: the user's own check, raised in a method
# raises: RuntimeError
class Queue:
    def __init__(self):
        self.items = []

    def pop(self):
        try:
            return self.items.pop()
        except IndexError as error:
            raise RuntimeError("the queue is empty") from error

Queue().pop()
