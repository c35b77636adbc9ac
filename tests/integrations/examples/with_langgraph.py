from langchain_core.messages import AIMessage, ToolMessage
from langgraph.graph import MessagesState, StateGraph

from klopt import Scorer
from klopt.integrations.langgraph import check_node


class State(MessagesState):
    klopt: dict


def answer(state):  # your agent: a tool call, what it brought up, and an answer
    page = ToolMessage("Wifi gaat uit met de **Vliegtuigstand**.", tool_call_id="1")
    return {"messages": [page, AIMessage("Klik op **Turbo**.")]}


def hand_over(state):
    return {"messages": [AIMessage("Ik verbind u door.")]}


graph = StateGraph(State).add_node(answer).add_node(hand_over)
graph.add_node(
    "check",
    check_node(Scorer.load(), send="__end__", otherwise="hand_over"),
    destinations=("__end__", "hand_over"),
)
graph.set_entry_point("answer")
graph.add_edge("answer", "check")
end = graph.compile().invoke({"messages": [("user", "Hoe zet ik wifi uit?")]})
print(end["klopt"]["verdict"], "->", end["messages"][-1].content)
